/** What is asked of Wikidata about items that are known by their ids. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { heldLabels } from '../../../src/client/export/held-text.ts'
import { startExtension } from '../../../src/client/extend/start-extension.ts'
import { diffRuns } from '../../../src/client/match/run-diff.ts'
import { startRecheck } from '../../../src/client/recheck/start-recheck.ts'
import { askThroughWorker } from '../../../src/client/suggest/ask-through-worker.ts'
import { countItemStates, readMovedItems } from '../../../src/db/item-states.repo.ts'
import { countValues, failedValues } from '../../../src/db/item-values.repo.ts'
import type { suggestProperties, suggestTypes } from '../../../src/workflows/suggest.ts'
import { entity, statement } from '../../support/fake-wikidata.ts'
import type { TestProject } from '../../support/match-project-rows.ts'
import { itemValue, person, personRow as row } from '../../support/wikidata-people.ts'
import { startWikidataServer, type WikidataServer } from '../../support/wikidata-server.ts'

let server: WikidataServer
beforeAll(async () => {
  server = await startWikidataServer({ random: () => 0 })
})
afterAll(() => server.close())
beforeEach(() => void server.asked())

const world: WikidataServer['world'] = (items, options) => server.world(items, options)

describe('records that give the item they are about', () => {
  const people = Array.from({ length: 60 }, (_, index) =>
    person(`Q30${index + 100}`, `Given ${index}`, '1950-01-01'),
  )

  it('case 7: are verified by its id, fifty in a request, and never searched for', async () => {
    world(people)
    const rows = people.map(({ id }, index) => row(`r${index}`, index % 2 === 0 ? id : `wd:${id}`))
    const project = await server.project(rows, { mapping: named })
    const handle = await server.bench.start(project.id, { options: { entriesPerTask: 60 } })
    await handle.result()
    expect(await server.results(project)).toEqual(
      people.map(({ id }, index) => `r${index} matched ${id}`),
    )
    const asked = server.asked()
    expect(asked.filter((one) => !one.startsWith('items '))).toEqual([])
    const ofPeople = asked.filter((one) => one.includes('Q30'))
    expect(ofPeople.map((one) => one.split('|').length)).toEqual([50, 10])
  })

  it('cases 7 and 27: a merged item is matched as what it became part of, one that is gone is said to be', async () => {
    const lives = person('Q3201', 'Lives On', '1950-01-01')
    world([lives, { ...lives, id: 'Q3200' }], { redirects: { Q3200: 'Q3201' } })
    const project = await server.project(
      [
        row('r0', 'Q3200'),
        row('r1', 'https://www.wikidata.org/wiki/Q999999999'),
        row('r2', 'Q3201'),
      ],
      { mapping: named },
    )
    await server.run(project)
    expect(await server.results(project)).toEqual([
      'r0 matched Q3201',
      'r1 no_candidate',
      'r2 matched Q3201',
    ])
    const rules = await server.bench.db
      .selectFrom('result')
      .where('project_id', '=', project.id)
      .select('rule')
      .orderBy('position')
      .execute()
    expect(rules.map(({ rule }) => rule)).toEqual(['given-id-merged', 'unknown-id', 'given-id'])
  })
})

const named = { name: 'name', variants: [], properties: [] }

describe('extend', () => {
  const ada = {
    ...person('Q3301', 'Ada Extended', '1815-12-10'),
    aliases: { en: ['A. Extended'] },
    descriptions: { en: 'a mathematician' },
    sitelinks: { nlwiki: 'Ada (wiskundige)' },
  }

  it('fetches statements with the names of items, labels, descriptions and sitelinks, and asks once', async () => {
    world([{ ...ada, claims: { ...ada.claims, P18: [statement('string', 'Ada.jpg')] } }])
    const project = await matchedWith('Ada Extended', '1815-12-10')
    const wanted = ['P18', 'P27', 'P569', 'P570', 'Len', 'Lnl', 'Aen', 'Den', 'Snlwiki', 'Sdewiki']
    await extend(project, wanted)
    expect(await held(project)).toEqual({
      P18: 'Ada.jpg',
      P27: 'United Kingdom',
      P569: '1815-12-10',
      P570: '',
      Len: 'Ada Extended',
      Lnl: '',
      Aen: 'A. Extended',
      Den: 'a mathematician',
      Snlwiki: 'Ada (wiskundige)',
      Sdewiki: '',
    })
    expect(server.asked()).toEqual(['items Q3301', 'items Q145'])
    await extend(project, wanted)
    expect(server.asked()).toEqual([])
  })

  it('says of an item that is gone that it could not be asked, not that it states nothing', async () => {
    world([person('Q3311', 'Gone Extended', '1816-12-10')])
    const project = await matchedWith('Gone Extended', '1816-12-10')
    world([], { gone: ['Q3311'] })
    await extend(project, ['P569'])
    const question = { projectId: project.id, service: 'wikidata', properties: ['P569'] }
    expect(await countValues(server.bench.db, question)).toMatchObject({ items: 1, failed: 1 })
    expect(await failedValues(server.bench.db, question, 9)).toMatchObject([
      { id: 'Q3311', code: 'item_gone' },
    ])
  })

  it('ends with what is wrong where Wikidata has no such values', async () => {
    world([person('Q3321', 'Wrong Extended', '1817-12-10')])
    const project = await matchedWith('Wrong Extended', '1817-12-10')
    await expect(extend(project, ['birthday'])).rejects.toMatchObject({
      cause: { cause: { type: 'unknown_property' } },
    })
    expect(server.asked()).toEqual([])
  })
})

describe('recheck', () => {
  it('case 27: tells which items were merged and deleted; the next run matches the new one, not "another"', async () => {
    const first = person('Q3401', 'Mia Moved', '1901-01-01')
    world([
      first,
      person('Q3402', 'Dan Deleted', '1902-02-02'),
      person('Q3403', 'Pia There', '1903-03-03'),
    ])
    const project = await server.project([
      row('r0', 'Mia Moved', { born: '1901-01-01' }),
      row('r1', 'Dan Deleted', { born: '1902-02-02' }),
      row('r2', 'Pia There', { born: '1903-03-03' }),
    ])
    await server.run(project)
    server.asked()
    const now = [{ ...first, id: 'Q3409' }, first, person('Q3403', 'Pia There', '1903-03-03')]
    world(now, { redirects: { Q3401: 'Q3409' }, gone: ['Q3402'] })

    const { bench } = server
    const since = new Date().toISOString()
    const input = { projectId: project.id, since }
    const result = await (await startRecheck(bench.client, input, bench.taskQueue)).result()
    expect(result.canTell).toBe(true)
    expect(server.asked()).toEqual(['items Q3401|Q3402|Q3403'])
    const items = { projectId: project.id, service: 'wikidata' }
    expect(await countItemStates(bench.db, items, since)).toMatchObject({
      items: 3,
      present: 1,
      merged: 1,
      missing: 1,
      failed: 0,
    })
    expect(await readMovedItems(bench.db, items)).toMatchObject([
      { id: 'r0', qid: 'Q3401', state: 'merged', mergedInto: 'Q3409' },
      { id: 'r1', qid: 'Q3402', state: 'missing' },
    ])

    await server.run(project, 1, { only: ['matched'] })
    expect(await server.results(project)).toEqual([
      'r0 matched Q3409',
      'r1 no_candidate',
      'r2 matched Q3403',
    ])
    const runs = { projectId: project.id, from: 1, to: 2 }
    expect(await diffRuns(bench.db, runs, () => undefined)).toMatchObject({
      merged: 1,
      lost: 1,
      changed: 0,
    })
  })
})

describe('suggest', () => {
  it('ranks the classes of what ten names find, by their names, and fetches nothing again', async () => {
    const band = entity('Q3501', {
      labels: { en: 'Suggested Two' },
      claims: { P31: [itemValue('Q3510')] },
    })
    world([
      person('Q3500', 'Suggested One', '1901-01-01'),
      band,
      entity('Q3510', { labels: { en: 'band' } }),
    ])
    const project = await server.project([
      row('a', 'Suggested One'),
      row('b', 'Suggested Two'),
      row('c', ''),
    ])
    const asked = () =>
      askThroughWorker((options) =>
        server.bench.client.workflow.start<typeof suggestTypes>('suggestTypes', {
          ...options,
          taskQueue: server.bench.taskQueue,
          args: [{ projectId: project.id }],
        }),
      )
    const { types } = await asked()
    expect(types).toEqual([
      { id: 'Q3510', name: 'band', names: 1, candidates: 1 },
      { id: 'Q5', name: 'human', names: 1, candidates: 1 },
    ])
    server.asked()
    expect(await asked()).toMatchObject({ asked: 2, failed: 0, types })
    expect(server.asked().filter((one) => one.startsWith('items'))).toEqual([])
  })

  it('finds properties by name, in the language of the project', async () => {
    const labels = { en: 'date of birth', nl: 'geboortedatum' }
    world([
      entity('P569', { labels, descriptions: { nl: 'dag waarop' } }),
      person('Q3520', 'Date of', '1901-01-01'),
    ])
    const project = await server.project([], { languages: ['nl'] })
    const found = (text: string, projectId: number) =>
      askThroughWorker((options) =>
        server.bench.client.workflow.start<typeof suggestProperties>('suggestProperties', {
          ...options,
          taskQueue: server.bench.taskQueue,
          args: [{ service: 'wikidata', projectId, text }],
        }),
      )
    expect(await found('geboorte', project.id)).toEqual({
      isOffered: true,
      properties: [{ id: 'P569', name: 'geboortedatum', description: 'dag waarop' }],
    })
    expect(await found('date of', 0)).toEqual({
      isOffered: true,
      properties: [{ id: 'P569', name: 'date of birth', description: null }],
    })
  })
})

async function matchedWith(name: string, born: string): Promise<TestProject> {
  const project = await server.project([row('r0', name, { born })])
  await server.run(project)
  server.asked()
  return project
}

async function extend({ id }: TestProject, properties: readonly string[]): Promise<void> {
  const { client, taskQueue } = server.bench
  await (await startExtension(client, { projectId: id, properties }, taskQueue)).result()
}

async function held({ id }: TestProject): Promise<Readonly<Record<string, string>>> {
  const rows = await server.bench.db
    .selectFrom('item_value as v')
    .innerJoin('result as r', 'r.match_qid', 'v.external_id')
    .where('r.project_id', '=', id)
    .select(['v.property', 'v.held'])
    .execute()
  return Object.fromEntries(rows.map((one) => [one.property, heldLabels(one.held ?? [])]))
}
