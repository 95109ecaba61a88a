import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { decideRecord, scoredCandidate } from '../../support/decided-records.ts'
import {
  createTestProject,
  type TestProject,
  putRecords,
} from '../../support/match-project-rows.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'
import { type TestWeb, testWeb } from '../../support/web-app.ts'

let database: TempDatabase
let db: Db
let web: TestWeb
let project: TestProject
const base = () => `/projects/${project.id}`

beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  web = testWeb(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

beforeEach(async () => {
  const records = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `Name of ${id}` }))
  project = await createTestProject(db, 'sample', records)
  await refreshSubjects(db, { ...project, revision: 1 })
  await decideRecord(db, project.id, 'a', 'review', [
    scoredCandidate('Q1', { score: 88 }),
    scoredCandidate('Q2', { score: 60 }),
  ])
  await decideRecord(db, project.id, 'b', 'review', [scoredCandidate('Q3', { score: 50 })])
  await decideRecord(db, project.id, 'c', 'matched', [scoredCandidate('Q4', { score: 97 })])
})

const judgment = (more: object = {}) => ({
  entry: 'a',
  verdict: 'match',
  qid: 'Q1',
  by: 'Ann',
  ...more,
})
interface Listed {
  readonly entries: readonly {
    readonly entry: string
    readonly status: string
    readonly best: { readonly id: string } | null
  }[]
  readonly next: string | null
}
interface Acts {
  readonly acts: readonly {
    readonly way: string
    readonly judgments: number
    readonly undone: boolean
  }[]
}
interface Audits {
  readonly audits: readonly { readonly precision: { readonly low: number } | null }[]
}
interface Judgments {
  readonly judgments: readonly { readonly verdict: string; readonly holds: boolean }[]
}
const said = async (entry: string) =>
  (await web.json<Judgments>(`${base()}/entries/${entry}/judgments`)).judgments
const listed = (query: string) => web.json<Listed>(`${base()}/entries?${query}`)

it('lists records in pages, filtered and in the order asked for', async () => {
  const all = await listed('limit=3')
  expect(all.entries.map((one) => [one.entry, one.status, one.best?.id ?? null])).toEqual([
    ['a', 'review', 'Q1'],
    ['b', 'review', 'Q3'],
    ['c', 'matched', 'Q4'],
  ])
  const rest = await listed(`limit=3&after=${all.next}`)
  expect(rest.entries.map((one) => [one.entry, one.status])).toEqual([['d', 'new']])
  expect(rest.next).toBeNull()

  const ids = async (query: string) => (await listed(query)).entries.map((one) => one.entry)
  expect(await ids('status=review')).toEqual(['a', 'b'])
  expect(await ids('order=score')).toEqual(['c', 'a', 'b', 'd'])
  expect(await ids('min_score=50&max_score=90&order=score')).toEqual(['a', 'b'])
  expect(await ids('text=NAME+OF+C')).toEqual(['c'])
  expect(await ids('text=%25')).toEqual([])
  expect(await ids('candidates=several')).toEqual(['a'])
  expect(await web.json(`${base()}/entry-count?status=review,new`)).toEqual({
    count: 3,
    isAll: true,
  })
  expect(await web.json(`${base()}/entry-count?status=new&judged=no`)).toMatchObject({ count: 1 })
})

it('pages through every order without leaving a record out or showing one twice', async () => {
  for (const order of ['file', 'score', 'doubt']) {
    const seen: string[] = []
    let after = ''
    do {
      const page = await listed(`order=${order}&limit=1${after}`)
      seen.push(...page.entries.map((one) => one.entry))
      after = page.next === null ? '' : `&after=${page.next}`
    } while (after !== '')
    expect([order, seen.toSorted()]).toEqual([order, ['a', 'b', 'c', 'd']])
  }
})

it('writes a judgment once, shows it as the result, and takes it back', async () => {
  const first = await web.post(`${base()}/judgments`, judgment({ note: 'clear' }))
  expect(first.status).toBe(201)
  const { act } = (await first.json()) as { act: number }
  const again = await web.post(`${base()}/judgments`, judgment({ note: 'clear' }))
  expect([again.status, await said('a')]).toMatchObject([200, { length: 1 }])
  expect(await web.json(`${base()}/entries/a`)).toMatchObject({ status: 'matched', qid: 'Q1' })

  const undone = await web.post(`${base()}/undo`, { act, by: 'Ann' })
  expect(await undone.json()).toEqual({ judgments: 1, left: 0 })
  expect(await web.json(`${base()}/entries/a`)).toMatchObject({ status: 'review', qid: null })
  expect((await said('a')).map((one) => [one.verdict, one.holds])).toEqual([
    ['match', false],
    ['undo', false],
  ])
  const twice = await web.post(`${base()}/undo`, { act, by: 'Ann' })
  expect([twice.status, await twice.json()]).toMatchObject([409, { code: 'undone_before' }])
})

it('tells the second of two people what the first one said, and writes nothing', async () => {
  const { seen } = await web.json(`${base()}/entries/a`)
  expect((await web.post(`${base()}/judgments`, judgment({ seen }))).status).toBe(201)
  const second = await web.post(
    `${base()}/judgments`,
    judgment({ seen, by: 'Bob', verdict: 'none_fits', qid: null }),
  )
  expect([second.status, await second.json()]).toMatchObject([
    409,
    {
      code: 'judged_since',
      facts: {
        holding: { verdict: 'match', qid: 'Q1', by: 'Ann' },
        yours: { verdict: 'none_fits' },
      },
    },
  ])
  expect(await said('a')).toHaveLength(1)

  const looked = await web.json(`${base()}/entries/a`)
  const knowing = judgment({ seen: looked['seen'], by: 'Bob', verdict: 'none_fits', qid: null })
  expect((await web.post(`${base()}/judgments`, knowing)).status).toBe(201)
  expect(await web.json(`${base()}/entries/a`)).toMatchObject({ status: 'none_fits' })
})

it('of two people at once lets one judge', async () => {
  const { seen } = await web.json(`${base()}/entries/a`)
  const answers = await Promise.all(
    ['Ann', 'Bob', 'Cem', 'Dee'].map((by) =>
      web.post(`${base()}/judgments`, judgment({ seen, by })),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  expect(await said('a')).toHaveLength(1)
})

it('writes nothing about a record that changed since it was shown', async () => {
  const { seen } = await web.json(`${base()}/entries/a`)
  await putRecords(db, project.datasetId, [{ id: 'a', name: 'Another name' }])
  await refreshSubjects(db, { ...project, revision: 1 })
  const answer = await web.post(`${base()}/judgments`, judgment({ seen }))
  expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'changed_since' }])
  expect(await said('a')).toEqual([])
})

it.each([
  [{ qid: null }, 422, 'invalid_item'],
  [{ qid: 'a name' }, 422, 'invalid_item'],
  [{ verdict: 'none_fits', qid: 'Q1' }, 422, 'invalid_item'],
  [{ entry: 'nobody' }, 404, 'unknown_entry'],
  [{ by: ' ' }, 400, 'invalid_request'],
  [{ seen: 'x' }, 400, 'invalid_seen'],
  [{ more: 1 }, 400, 'invalid_request'],
])('refuses a judgment with %j', async (change, status, code) => {
  const answer = await web.post(`${base()}/judgments`, judgment(change))
  expect([answer.status, await answer.json()]).toMatchObject([status, { status, code }])
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
})

it('accepts by a rule only what was shown, and undoes it as one', async () => {
  const rule = { minScore: 40, minMargin: 0, single: false }
  const preview = await web.json(`${base()}/bulk-accept?min_score=40`)
  expect(preview).toEqual({ count: 2, examples: expect.arrayContaining(['a', 'b']) })
  expect(await web.json(`${base()}/bulk-accept?min_score=40&single=yes`)).toMatchObject({
    count: 1,
    examples: ['b'],
  })
  const other = await web.post(`${base()}/bulk-accept`, { rule, by: 'Ann', expected: 3 })
  expect([other.status, await other.json()]).toMatchObject([
    409,
    { code: 'other_count', facts: { count: 2 } },
  ])

  const done = await web.post(`${base()}/bulk-accept`, { rule, by: 'Ann', expected: 2 })
  const { act } = (await done.json()) as { act: number }
  expect(await web.json(`${base()}/entries/b`)).toMatchObject({ status: 'matched', qid: 'Q3' })
  await web.post(`${base()}/judgments`, { entry: 'b', verdict: 'none_fits', by: 'Bob' })
  const undone = await web.post(`${base()}/undo`, { act, by: 'Ann' })
  expect(await undone.json()).toEqual({ judgments: 1, left: 1 })
  expect(await web.json(`${base()}/entries/a`)).toMatchObject({ status: 'review' })
  expect(await web.json(`${base()}/entries/b`)).toMatchObject({ status: 'none_fits' })
  const { acts } = await web.json<Acts>(`${base()}/acts`)
  expect(acts.map((one) => [one.way, one.judgments, one.undone])).toEqual([
    ['undo', 1, false],
    ['review', 1, false],
    ['bulk', 2, true],
  ])
})

it('never accepts by a rule what has a veto or was rejected before', async () => {
  await decideRecord(db, project.id, 'b', 'review', [
    scoredCandidate('Q3', { score: 99, veto: 'P1 differs' }),
  ])
  expect(await web.json(`${base()}/bulk-accept?min_score=90`)).toEqual({ count: 0, examples: [] })
})

it('draws automatic matches for an audit and tells the share that is right with its interval', async () => {
  const drawn = await web.post(`${base()}/audits`, { size: 5, by: 'Ann' })
  const { audit } = (await drawn.json()) as { audit: number }
  expect(await web.json(`${base()}/audits`)).toMatchObject({
    audits: [{ id: audit, drawn: 1, judged: 0, precision: null }],
  })
  await web.post(`${base()}/judgments`, {
    entry: 'c',
    verdict: 'match',
    qid: 'Q4',
    by: 'Ann',
    way: 'audit',
  })
  const { audits } = await web.json<Audits>(`${base()}/audits`)
  expect(audits).toMatchObject([{ judged: 1, right: 1, precision: { share: 1, high: 1 } }])
  expect(audits[0]?.precision?.low).toBeCloseTo(0.2065, 3)
  const none = await web.post(`${base()}/audits`, { size: 5, by: 'Ann' })
  expect([none.status, await none.json()]).toMatchObject([409, { code: 'nothing_matched' }])
})

it('hands the judgments out as the command reads them', async () => {
  await web.post(`${base()}/judgments`, judgment())
  const answer = await web.ask(`${base()}/judgments`)
  const [head, line] = (await answer.text()).split('\n')
  expect(head).toBe('id,verdict,qid,by,at,note,stale,match_hash')
  expect(line).toMatch(/^a,match,Q1,Ann,/)
})

it('has a histogram of the scores', async () => {
  const { bars, thresholds } = await web.json(`${base()}/scores`)
  expect(thresholds).toEqual(project.settings.thresholds)
  expect(bars).toEqual([
    { from: 50, matched: 0, review: 1, noCandidate: 0 },
    { from: 88, matched: 0, review: 1, noCandidate: 0 },
    { from: 96, matched: 1, review: 0, noCandidate: 0 },
  ])
})
