import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { decideRecord, scoredCandidate } from '../../support/decided-records.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'
import { type TestWeb, testWeb } from '../../support/web-app.ts'

let database: TempDatabase
let db: Db
let web: TestWeb
let project: TestProject
const base = () => `/projects/${project.id}`
const page = () => `/p/${project.id}`
const ann = { Cookie: 'record_linker_reviewer=Ann' }

beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  web = testWeb(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** Three rows of one name, which differ only in a cell that is not mapped, and one of another. */
beforeEach(async () => {
  const names = { a: 'Star', b: 'Star', c: 'Star', other: 'Sun' }
  const records = Object.entries(names).map(([id, name]) => ({ id, name, note: `note of ${id}` }))
  project = await createTestProject(db, 'sample', records)
  await refreshSubjects(db, { ...project, revision: 1 })
  for (const { id } of records) {
    const score = id === 'other' ? 50 : 70
    await decideRecord(db, project.id, id, 'review', [scoredCandidate('Q1', { score })])
  }
})

const judge = (more: object = {}) =>
  web.post(`${base()}/judgments`, { entry: 'b', verdict: 'match', qid: 'Q1', by: 'Ann', ...more })
interface Entries {
  readonly entries: readonly { readonly entry: string; readonly qid: string | null }[]
}
const ids = async (query: string) =>
  (await web.json<Entries>(`${base()}/entries?${query}`)).entries.map(({ entry }) => entry)
const items = async () =>
  Object.fromEntries(
    (await web.json<Entries>(`${base()}/entries`)).entries.map(({ entry, qid }) => [entry, qid]),
  )
const html = async (path: string) => {
  const answer = await web.ask(path, { headers: { Accept: 'text/html', ...ann } })
  expect([path, answer.status]).toEqual([path, 200])
  return answer.text()
}
const fieldsOf = (text: string) =>
  Object.fromEntries(
    Array.from(
      text
        .slice(text.indexOf('data-judge'))
        .matchAll(/<input type="hidden" name="(entry|seen|place|view)" value="([^"]*)"/g),
      ([, name, value]) => [name ?? '', (value ?? '').replaceAll('&amp;', '&')],
    ),
  )
const to = (answer: Response) => {
  expect(answer.status).toBe(303)
  return answer.headers.get('Location') ?? ''
}

it('judges rows that are equal in all mapped fields together, and takes all back as one act', async () => {
  expect(await web.json(`${base()}/entries/b`)).toMatchObject({
    equal: { count: 2, entries: ['a', 'c'] },
  })
  const said = await judge()
  const { act, rows } = (await said.json()) as { act: number; rows: number }
  expect([said.status, rows]).toEqual([201, 3])
  expect(await items()).toEqual({ a: 'Q1', b: 'Q1', c: 'Q1', other: null })
  expect(await ids('status=review')).toEqual(['other'])
  expect(await web.json(`${base()}/acts`)).toMatchObject({
    acts: [{ id: act, externalId: 'b', judgments: 3 }],
  })
  const undone = await web.post(`${base()}/undo`, { act, by: 'Ann' })
  expect(await undone.json()).toEqual({ judgments: 3, left: 0 })
  expect(await ids('status=review')).toEqual(['a', 'b', 'c', 'other'])
})

it('says the same once, however often it is sent', async () => {
  await judge()
  const again = await judge()
  expect([again.status, await again.json()]).toMatchObject([200, { rows: 0 }])
})

it('judges one row alone where that is asked for', async () => {
  expect(await (await judge({ scope: 'one' })).json()).toMatchObject({ rows: 1 })
  expect(await items()).toEqual({ a: null, b: 'Q1', c: null, other: null })
  expect(await web.json(`${base()}/entries/a`)).toMatchObject({ equal: { entries: ['c'] } })
})

it('says of the equal rows too what was said of one alone, when it is said once more', async () => {
  await judge({ scope: 'one' })
  expect((await judge()).status).toBe(201)
  expect(await items()).toEqual({ a: 'Q1', b: 'Q1', c: 'Q1', other: null })
})

it('leaves alone what somebody else has said of an equal row, and mends what it said itself', async () => {
  await judge({ entry: 'c', verdict: 'none_fits', qid: null, by: 'Bob', scope: 'one' })
  expect(await (await judge()).json()).toMatchObject({ rows: 2 })
  expect(await items()).toEqual({ a: 'Q1', b: 'Q1', c: null, other: null })
  expect(await (await judge({ qid: 'Q2' })).json()).toMatchObject({ rows: 2 })
  expect(await items()).toEqual({ a: 'Q2', b: 'Q2', c: null, other: null })
})

it('of two people who judge two equal rows at once, lets each row be judged once', async () => {
  const seen = async (entry: string) => (await web.json(`${base()}/entries/${entry}`))['seen']
  const [ofA, ofC] = [await seen('a'), await seen('c')]
  const answers = await Promise.all([
    judge({ entry: 'a', seen: ofA }),
    judge({ entry: 'c', seen: ofC, by: 'Bob', verdict: 'none_fits', qid: null }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const { acts } = await web.json<{ acts: readonly { judgments: number }[] }>(`${base()}/acts`)
  expect(acts.map(({ judgments }) => judgments)).toEqual([3])
})

it('shows on the page how many rows it is about, and does not show them again', async () => {
  const first = await html(`${page()}/review`)
  expect(first).toContain('Applies to 3 rows')
  expect(first).toMatch(/entry=b[^>]*>b<\/a>/)
  const next = to(await web.form(`${page()}/judge`, { ...fieldsOf(first), say: 'none_fits' }, ann))
  const second = await html(next)
  expect(second).toContain('a and 2 equal rows: none fits.')
  expect(second).toContain('data-entry="other"')
  expect(second).not.toContain('Applies to')

  const undone = await html(to(await web.form(`${page()}/undo`, { view: '' }, ann)))
  expect(undone).toContain('Taken back: 3.')
  expect(undone).toContain('data-entry="a"')
})

it('has the script load a record that is not equal as the next one', async () => {
  const first = await html(`${page()}/review`)
  const next = /data-next="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(await html(`${next}&part=card`)).toContain('data-entry="other"')
})

it('splits on the page: only the row that is shown', async () => {
  const first = fieldsOf(await html(`${page()}/review`))
  const only = { ...first, say: 'none_fits', scope: 'one' }
  const second = await html(to(await web.form(`${page()}/judge`, only, ann)))
  expect(second).toContain('data-entry="b"')
  expect(second).toContain('Applies to 2 rows')
})

it('leaves equal rows for later together', async () => {
  const first = fieldsOf(await html(`${page()}/review`))
  await web.form(`${page()}/judge`, { ...first, say: 'skip' }, ann)
  expect(await html(`${page()}/review`)).toContain('data-entry="other"')
  expect(await html(`${page()}/review`)).toContain('Take up 3 records again')
})
