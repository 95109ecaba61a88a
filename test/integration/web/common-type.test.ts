import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { decisionsOfType, MOST_RARE } from '../../../src/db/typed-decisions.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'
import { type TestWeb, testWeb } from '../../support/web-app.ts'

const HUMAN = 'Q5'
const PAINTER = 'Q1028181'
const HUMANS = MOST_RARE + 100
/** They come first, in every order. */
const OTHERS = 200
/** One in a hundred, of the humans too. */
const PAINTER_EACH = 100

let database: TempDatabase
let db: Db
let web: TestWeb
let project: TestProject

beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  web = testWeb(db)
  const records = Array.from({ length: OTHERS + HUMANS }, (_, at) => ({
    id: String(at),
    name: 'A',
  }))
  project = await createTestProject(db, 'sample', records)
  await refreshSubjects(db, { ...project, revision: 1 })
  await decideAll()
  // As the server does by itself within a minute.
  await sql`analyze`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** All but the first ones have a human, each hundredth a painter. */
async function decideAll(): Promise<void> {
  await sql`
    insert into item (service, external_id, types)
    select 'sample', 'Q' || e.external_id,
      case when e.external_id::integer >= ${OTHERS}::integer then jsonb_build_array(jsonb_build_object('id', ${HUMAN}::text)) else '[]' end
      || case when e.external_id::integer % ${PAINTER_EACH}::integer = 0 then jsonb_build_array(jsonb_build_object('id', ${PAINTER}::text)) else '[]' end
    from entry e where e.dataset_id = ${project.datasetId}::bigint`.execute(db)
  await sql`
    insert into decision (subject_id, settings_revision, weights_version, match_hash, outcome, rule, reason, service,
      external_id, score, margin, evidence)
    select s.id, 1, 'test', s.match_hash, 'review', 'test', 'by the test', 'sample', 'Q' || e.external_id,
      (e.external_id::integer % 100)::real, 5, '{"candidates": [], "candidatesTotal": 1}'
    from subject s join entry e on e.id = s.entry_id where s.project_id = ${project.id}::bigint`.execute(
    db,
  )
  await sql`
    update subject s set status = 'COMPLETED', outcome = 'review', decision_id = d.id
    from decision d where d.subject_id = s.id and s.project_id = ${project.id}::bigint`.execute(db)
}

const listed = async (query: string) => {
  const { entries } = await web.json<{ entries: { entry: string; score: number }[] }>(
    `/projects/${project.id}/entries?${query}`,
  )
  return entries
}

it('of a common type its decisions are not listed, of a rare one they are', async () => {
  expect(await decisionsOfType(db, project.id, HUMAN)).toBe('common')
  expect(await decisionsOfType(db, project.id, PAINTER)).toHaveLength(
    (OTHERS + HUMANS) / PAINTER_EACH,
  )
  expect(await decisionsOfType(db, project.id + 1, PAINTER)).toEqual([])
})

it.each([
  ['common', HUMAN, (id: number) => id >= OTHERS],
  ['rare', PAINTER, (id: number) => id % PAINTER_EACH === 0],
])('pages of a %s type have only its records, in every order', async (_, type, isOf) => {
  for (const order of ['file', 'score', 'doubt']) {
    const entries = await listed(`type=${type}&status=review&order=${order}&limit=20`)
    expect([order, entries.length]).toEqual([order, 20])
    expect(entries.filter(({ entry }) => !isOf(Number(entry)))).toEqual([])
  }
})

it('records of a rare type are counted, of a common one only the first 500', async () => {
  const counted = (type: string) =>
    web.json(`/projects/${project.id}/entry-count?type=${type}&status=review`)
  expect(await counted(PAINTER)).toEqual({ count: (OTHERS + HUMANS) / PAINTER_EACH, isAll: true })
  expect(await counted(HUMAN)).toEqual({ count: 500, isAll: false })
  const page = await web.ask(`/p/${project.id}/review?type=${HUMAN}`, {
    headers: { Accept: 'text/html', Cookie: 'record_linker_reviewer=Ann' },
  })
  expect(await page.text()).toMatch(/more than\s*<b data-count="left">500<\/b> left/)
})
