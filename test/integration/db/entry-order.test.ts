import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seededRandom } from '../../../bench/limiter/seeded-random.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { entryPage } from '../../../src/db/entry-pages.repo.ts'
import type { EntryStatus } from '../../../src/db/entry-filter.ts'
import { type EntryOrder, entryOrders } from '../../../src/db/entry-order.ts'
import type { EntryPageRequest } from '../../../src/db/place-query.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { decideRecord, scoredCandidate } from '../../support/decided-records.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

const RECORDS = 60
const LINES = { match: 70, lead: 10 }
const PAGE = 7

interface MadeRecord {
  readonly id: string
  readonly position: number
  readonly score: number | null
  readonly margin: number | null
  /** As the item that was found. */
  readonly isJudged: boolean
}

let database: TempDatabase
let db: Db
let project: TestProject
let records: readonly MadeRecord[]

beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  // Whole scores, so that many are equally near; some without a lead, some without a candidate.
  const random = seededRandom(9)
  records = Array.from({ length: RECORDS }, (_, at) => {
    const score = at % 9 === 0 ? null : 40 + Math.floor(random() * 60)
    const margin = score === null || at % 11 === 0 ? null : Math.floor(random() * 40)
    return {
      id: `r${at}`,
      position: at + 1,
      score,
      margin,
      isJudged: score !== null && at % 5 === 0,
    }
  })
  project = await createTestProject(
    db,
    'sample',
    records.map(({ id }) => ({ id, name: `Name of ${id}` })),
  )
  await refreshSubjects(db, { ...project, revision: 1 })
  for (const { id, score, margin, isJudged } of records) {
    const candidates = score === null ? [] : [scoredCandidate('Q1', { score })]
    const outcome = score === null ? 'no_candidate' : score < 70 ? 'review' : 'matched'
    await decideRecord(db, project.id, id, outcome, candidates)
    await sql`
      update decision d set margin = ${margin}::real from subject s join entry e on e.id = s.entry_id
      where s.id = d.subject_id and s.project_id = ${project.id}::bigint and e.external_id = ${id}::text`.execute(
      db,
    )
    if (!isJudged) continue
    await sql`
      insert into judgment (subject_id, verdict, external_id, judged_by, match_hash)
      select s.id, 'match', 'Q1', 'Ann', s.match_hash from subject s join entry e on e.id = s.entry_id
      where s.project_id = ${project.id}::bigint and e.external_id = ${id}::text`.execute(db)
  }
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** By definition: `doubt` is how near a record is to a line that decides. */
const valueOf: Readonly<Record<EntryOrder, (record: MadeRecord) => number>> = {
  file: () => 0,
  score: ({ score }) => (score === null ? Infinity : -score),
  doubt: ({ score, margin }) => {
    if (score === null) return Infinity
    if (score < LINES.match) return LINES.match - score
    const fromLead = margin === null ? Infinity : Math.abs(margin - LINES.lead)
    return Math.min(score - LINES.match, fromLead)
  },
}

function sorted(order: EntryOrder, wanted: readonly MadeRecord[]): readonly string[] {
  return wanted
    .toSorted((a, b) => {
      const [x, y] = [valueOf[order](a), valueOf[order](b)]
      return x === y ? a.position - b.position : x < y ? -1 : 1
    })
    .map(({ id }) => id)
}

const request = (order: EntryOrder, statuses: readonly EntryStatus[]): EntryPageRequest => ({
  projectId: project.id,
  datasetId: project.datasetId,
  thresholds: LINES,
  order,
  after: null,
  limit: PAGE,
  filter: {
    statuses,
    minScore: null,
    maxScore: null,
    minMargin: null,
    maxMargin: null,
    candidates: null,
    judged: null,
    stale: null,
    code: null,
    type: null,
    text: null,
  },
})

async function walk(from: EntryPageRequest): Promise<readonly string[]> {
  const ids: string[] = []
  let after = from.after
  for (;;) {
    const page = await entryPage(db, { ...from, after })
    ids.push(...page.map(({ externalId }) => externalId))
    if (page.length < from.limit) return ids
    after = page.at(-1)?.key ?? null
  }
}

const isMatched = ({ score, isJudged }: MadeRecord) => isJudged || (score !== null && score >= 70)
const isForReview = (one: MadeRecord) => one.score !== null && !isMatched(one)
const choices = [
  { statuses: [], of: () => true },
  { statuses: ['matched'] as const, of: isMatched },
  { statuses: ['review'] as const, of: isForReview },
]

it.each(entryOrders.flatMap((order) => choices.map((choice) => ({ order, ...choice }))))(
  'pages through $statuses in the order of $order, there and back',
  async (row) => {
    const wanted = sorted(row.order, records.filter(row.of))
    const asked = request(row.order, row.statuses)
    expect(await walk(asked)).toEqual(wanted)

    const last = (await entryPage(db, { ...asked, limit: RECORDS })).at(-1)
    const back = await walk({ ...asked, after: last?.key ?? null, backwards: true })
    expect(back).toEqual(wanted.slice(0, -1).toReversed())
  },
)
