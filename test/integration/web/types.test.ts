import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EntityType } from '../../../src/core/matching/candidate.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { storeItems } from '../../../src/db/item-facts.repo.ts'
import { rememberingItems } from '../../../src/db/items.repo.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { decideRecord, scoredCandidate } from '../../support/decided-records.ts'
import { facts } from '../../unit/core/wikidata/item-scene.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'
import { type TestWeb, testWeb } from '../../support/web-app.ts'

const human = { id: 'Q5', name: 'human' }
const painter = { id: 'Q1028181', name: 'painter' }
const nameless = { id: 'Q515' }

let database: TempDatabase
let db: Db
let web: TestWeb
let project: TestProject

beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  web = testWeb(db)
  const records = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `Name of ${id}` }))
  project = await createTestProject(db, 'sample', records)
  await refreshSubjects(db, { ...project, revision: 1 })
  await decideRecord(db, project.id, 'a', 'review', [
    scoredCandidate('Q1', { score: 88 }),
    scoredCandidate('Q2', { score: 60 }),
  ])
  await decideRecord(db, project.id, 'b', 'review', [scoredCandidate('Q3', { score: 50 })])
  await decideRecord(db, project.id, 'c', 'matched', [scoredCandidate('Q4', { score: 97 })])
  await rememberTypes('sample', {
    Q1: [human, painter],
    // Of a second candidate.
    Q2: [nameless],
    Q3: [human],
    Q4: [nameless, human],
  })
  await rememberTypes('other', { Q3: [painter] })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

async function rememberTypes(
  service: string,
  types: Readonly<Record<string, readonly EntityType[]>>,
) {
  const items = Object.entries(types).map(([id, of]) => ({
    id,
    label: null,
    description: null,
    types: of,
  }))
  await rememberingItems(service, items).execute(db)
}
const listed = async (query: string) => {
  const { entries } = await web.json<{ entries: { entry: string }[] }>(
    `/projects/${project.id}/entries?${query}`,
  )
  return entries.map(({ entry }) => entry)
}
const html = async (path: string) => {
  const answer = await web.ask(`/p/${project.id}${path}`, {
    headers: { Accept: 'text/html', Cookie: 'record_linker_reviewer=Ann' },
  })
  expect([path, answer.status]).toEqual([path, 200])
  return answer.text()
}

it('lists the types of best candidates, the commonest first', async () => {
  expect(await web.json(`/projects/${project.id}/types`)).toEqual({
    types: [
      { ...human, records: 3 },
      { ...painter, records: 1 },
      { ...nameless, name: null, records: 1 },
    ],
  })
})

it('shows only records whose best candidate is of a type, in every order', async () => {
  for (const order of ['file', 'score', 'doubt']) {
    const found = await listed(`type=${human.id}&order=${order}`)
    expect([order, found.toSorted()]).toEqual([order, ['a', 'b', 'c']])
  }
  expect(await listed(`type=${painter.id}`)).toEqual(['a'])
  expect(await listed(`type=${human.id}&status=review`)).toEqual(['a', 'b'])
  expect(await listed(`type=${nameless.id}`)).toEqual(['c'])
  expect(await listed(`type=Q1`)).toEqual([])
  expect(await web.json(`/projects/${project.id}/entry-count?type=${human.id}`)).toEqual({
    count: 3,
    isAll: true,
  })
})

it('offers the types on the pages, with the number of each, and keeps what is chosen from record to record', async () => {
  const all = await html('')
  expect(all).toContain('<option value="Q5">human (3)</option>')
  expect(all).toContain('<option value="Q515">Q515 (1)</option>')
  const shown = await html(`?type=${painter.id}`)
  expect(shown).toContain('<option value="Q1028181" selected="">painter (1)</option>')
  expect(shown).toContain('Name of a')
  expect(shown).not.toContain('Name of b')
  const review = await html(`/review?type=${painter.id}`)
  expect(review).toContain('<b data-count="left">1</b>')
  expect(review).toMatch(/data-next="[^"]*type=Q1028181/)
  expect(await html('/review?type=Q99')).toContain('<option value="Q99" selected="">Q99</option>')
})

it('shows which image a candidate has and how many pages are linked to it, where that is known', async () => {
  expect(await html('/review?entry=a')).not.toContain('linked pages')
  await storeItems(db, 'sample', [
    facts('Q1', { properties: { P18: ['Ada.jpg'] }, heldPids: ['P18'], sitelinks: 1_234 }),
    facts('Q2', { heldPids: ['P18'], sitelinks: 0 }),
  ])
  const page = await html('/review?entry=a')
  const row = (name: string) =>
    [...page.matchAll(new RegExp(`${name}</span><span class="value">([^<]*)<`, 'g'))].map(
      ([, value]) => value,
    )
  // The record has neither.
  expect([row('image'), row('linked pages')]).toEqual([
    ['—', 'Ada.jpg', 'none'],
    ['—', '1,234', 'none'],
  ])
})
