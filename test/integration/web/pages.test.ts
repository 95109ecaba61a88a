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
const base = () => `/p/${project.id}`
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

beforeEach(async () => {
  const records = ['a', 'b', 'c'].map((id) => ({ id, name: `Name of <${id}>` }))
  project = await createTestProject(db, 'sample', records)
  await refreshSubjects(db, { ...project, revision: 1 })
  await decideRecord(db, project.id, 'a', 'review', [
    scoredCandidate('Q1', {
      score: 88,
      features: [
        {
          feature: 'name',
          verdict: 'agree',
          weight: 6,
          record: 'Name of <a>',
          candidate: 'Label',
          how: 'equal',
        },
        { feature: 'P17', verdict: 'disagree', weight: -2, record: 'NL', candidate: 'BE', how: '' },
      ],
    }),
    scoredCandidate('Q2', { score: 60 }),
  ])
  await decideRecord(db, project.id, 'b', 'review', [scoredCandidate('Q3', { score: 40 })])
})

const html = async (path: string, headers: Readonly<Record<string, string>> = ann) => {
  const answer = await web.ask(path, { headers: { Accept: 'text/html', ...headers } })
  expect([path, answer.status]).toEqual([path, 200])
  return answer.text()
}
/** Where an answer leads. */
const to = (answer: Response) => {
  expect(answer.status).toBe(303)
  return answer.headers.get('Location') ?? ''
}
const fieldsOf = (page: string) =>
  Object.fromEntries(
    Array.from(
      page.matchAll(/<input type="hidden" name="(entry|seen|place|view)" value="([^"]*)"/g),
      ([, name, value]) => [name, (value ?? '').replaceAll('&amp;', '&')],
    ),
  ) as Record<string, string>
const judgeForm = (page: string) => fieldsOf(page.slice(page.indexOf('data-judge')))

it('shows all projects and a project, with what is in records never taken for markup', async () => {
  expect(await html('/')).toContain(`href="/p/${project.id}"`)
  const page = await html(base())
  expect(page).toContain('Name of &lt;a&gt;')
  expect(page).not.toContain('<a>')
  expect(page).toContain('Review 2 records')
})

it('asks once who judges, and then shows the most doubtful record with its shares', async () => {
  const asking = await html(`${base()}/review`, {})
  expect(asking).toContain('Your name')
  expect(asking).not.toContain('This one')
  const named = await web.form('/reviewer', { name: 'Ann', back: `${base()}/review` })
  expect(to(named)).toBe(`${base()}/review`)
  expect(named.headers.get('Set-Cookie')).toMatch(
    /^record_linker_reviewer=Ann;.*HttpOnly; SameSite=Strict/,
  )

  const page = await html(`${base()}/review`)
  expect(page).toContain('data-entry="a"')
  expect(page).toContain('score 88')
  expect(page).toMatch(/agrees[^<]*\(equal\)/)
  expect(page).toContain('+75 %')
  expect(page).toContain('−25 %')
})

it('is a whole review without the script: judge, go on, undo, until nothing is left', async () => {
  const first = judgeForm(await html(`${base()}/review`))
  const after = to(await web.form(`${base()}/judge`, { ...first, say: 'match Q1' }, ann))
  const second = await html(after)
  expect(second).toContain('a: Q1.')
  expect(second).toContain('data-entry="b"')

  const undone = to(await web.form(`${base()}/undo`, { view: '' }, ann))
  expect(await html(undone)).toContain('data-entry="a"')
  expect(await web.json(`/projects/${project.id}/entries/a`)).toMatchObject({ status: 'review' })

  await web.form(`${base()}/judge`, { ...judgeForm(await html(undone)), say: 'none_fits' }, ann)
  const last = judgeForm(await html(`${base()}/review`))
  expect(last['entry']).toBe('b')
  const end = to(
    await web.form(
      `${base()}/judge`,
      { ...last, say: 'item', item: 'https://www.wikidata.org/wiki/Q64', note: 'by hand' },
      ann,
    ),
  )
  expect(await html(end)).toContain('Nothing is left here')
  expect(await web.json(`/projects/${project.id}/entries/b`)).toMatchObject({
    status: 'matched',
    qid: 'Q64',
  })
})

it('leaves a record for later in the queue of one person only', async () => {
  const form = judgeForm(await html(`${base()}/review`))
  await web.form(`${base()}/judge`, { ...form, say: 'skip' }, ann)
  expect(await html(`${base()}/review`)).toContain('data-entry="b"')
  expect(await html(`${base()}/review`, { Cookie: 'record_linker_reviewer=Bob' })).toContain(
    'data-entry="a"',
  )
  await web.form(`${base()}/unskip`, { view: '' }, ann)
  expect(await html(`${base()}/review`)).toContain('data-entry="a"')
})

it('shows both answers when two people judged the same record', async () => {
  const form = judgeForm(await html(`${base()}/review`))
  await web.form(
    `${base()}/judge`,
    { ...form, say: 'match Q1' },
    { Cookie: 'record_linker_reviewer=Bob' },
  )
  const answer = await web.form(`${base()}/judge`, { ...form, say: 'match Q2' }, ann)
  expect(answer.status).toBe(409)
  const page = await answer.text()
  expect(page).toContain('Bob said')
  expect(page).toContain('match Q1')
  expect(page).toContain('match Q2')
})

it('hides every score while labelling blind', async () => {
  const page = await html(`${base()}/review?blind=1`)
  expect(page).not.toMatch(/score \d|[+−]\d+ %|class="share"/)
  expect(page).toContain('This one')
})

it('moves in both directions without judging', async () => {
  const first = await html(`${base()}/review`)
  const next = /data-next="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await html(next)
  expect(second).toContain('data-entry="b"')
  const before = /data-before="([^"]+)"/.exec(second)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(await html(before)).toContain('data-entry="a"')
})

it('accepts by a rule only after showing the number and examples', async () => {
  const page = await html(`${base()}/bulk?min_score=80&min_margin=0`)
  expect(page).toContain('1 record')
  expect(page).toContain('Name of &lt;a&gt;')
  const fields = { min_score: '80', min_margin: '0', expected: '1' }
  expect(to(await web.form(`${base()}/bulk`, fields, ann))).toBe(`${base()}#acts`)
  expect(await html(base())).toContain('accepted 1 record by a rule')
})

it('shows a record with all its evidence', async () => {
  const page = await html(`${base()}/entry?entry=a`)
  expect(page).toContain('How it was decided')
  expect(page).toContain('by the test')
})

it('leads nowhere else after a form', async () => {
  for (const back of [
    'https://elsewhere.example/',
    '//elsewhere.example',
    '/\\elsewhere.example',
  ]) {
    expect(to(await web.form('/reviewer', { name: 'Ann', back }))).toBe('/')
  }
})

it('explains what is not there as a page', async () => {
  const answer = await web.ask('/p/987654321', { headers: { Accept: 'text/html' } })
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
    404,
    'text/html; charset=utf-8',
  ])
  expect(await answer.text()).toContain('There is no project 987654321.')
})
