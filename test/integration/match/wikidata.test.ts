import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entity, type FakeEntity, fakeWikidata } from '../../support/fake-wikidata.ts'
import { reviseSettings } from '../../support/match-project-rows.ts'
import {
  human,
  itemValue,
  person,
  personRow as row,
  unitedKingdom,
} from '../../support/wikidata-people.ts'
import { startWikidataServer, type WikidataServer } from '../../support/wikidata-server.ts'

let server: WikidataServer
beforeAll(async () => {
  server = await startWikidataServer()
})
afterAll(() => server.close())
beforeEach(() => void server.asked())

const world = (...items: readonly FakeEntity[]) => server.world(items)

describe('a run against Wikidata', () => {
  it('searches by label, by words only who is undecided then, and asks nothing the second time', async () => {
    world(
      person('Q101', 'Douglas Adams', '1952-03-11'),
      person('Q102', 'Ada Lovelace', '1815-12-10'),
    )
    const project = await server.project([
      row('r0', 'Douglas Adams', { born: '1952-03-11', country: 'United Kingdom' }),
      row('r1', 'Lovelace Ada', { born: '1815-12-10', country: 'United Kingdom' }),
      row('r2', 'Nobody At All', { born: '1900-01-01' }),
      row('r3', ''),
    ])
    await server.run(project)
    expect(await server.results(project)).toEqual([
      'r0 matched Q101',
      'r1 matched Q102',
      'r2 no_candidate',
      'r3 skipped',
    ])
    expect([...server.asked()].sort()).toEqual([
      'items Q101',
      'items Q102',
      'items Q145|Q5',
      'label en Douglas Adams',
      'label en Lovelace Ada',
      'label en Nobody At All',
      'text Lovelace Ada',
      'text Nobody At All',
    ])
    await server.run(project)
    expect(server.asked()).toEqual([])
  })

  it('a new property fetches items and searches nothing', async () => {
    world(person('Q111', 'Emily Eleven', '1952-03-11'))
    const project = await server.project([row('r0', 'Emily Eleven', { born: '1952-03-11' })])
    await server.run(project)
    expect(await server.results(project)).toEqual(['r0 matched Q111'])
    server.asked()
    const { mapping } = project.settings
    const floruit = { pid: 'P1317', columns: ['active'], kind: 'date', use: 'compare' } as const
    await reviseSettings(server.bench.db, project, {
      mapping: { ...mapping, properties: [...mapping.properties, floruit] },
    })
    await server.run(project, 2)
    expect(server.asked()).toEqual(['items Q111'])
    expect(await server.results(project)).toEqual(['r0 matched Q111'])
  })

  it('what is repeated after months is searched and fetched anew, classes and values are not', async () => {
    world(person('Q115', 'Rita Refreshed', '1950-03-11'))
    const project = await server.project([row('r0', 'Rita Refreshed', { born: '1950-03-11' })])
    await server.run(project)
    server.asked()
    const { db } = server.bench
    const longAgo = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000)
    await db.updateTable('item').set({ facts_at: longAgo }).execute()
    await db.updateTable('lookup').set({ answered_at: longAgo }).execute()
    await reviseSettings(db, project, { thresholds: { match: 80, review: 35, lead: 10 } })
    await server.run(project, 2)
    expect(server.asked()).toEqual([])
    await db.updateTable('lookup').set({ status: 'missing' }).execute()
    await reviseSettings(db, project, { thresholds: { match: 81, review: 35, lead: 10 } })
    await server.run(project, 3)
    expect(server.asked()).toEqual(['label en Rita Refreshed', 'items Q115'])
  })

  it('an identifier that is there decides with one search, however it is dressed', async () => {
    world(person('Q121', 'Somebody Else Entirely', '1901-01-01', { viaf: '113230702' }))
    const viaf = 'https://viaf.org/viaf/113230702/'
    const project = await server.project([
      row('r0', 'S. E. Entirely', { viaf }),
      row('r1', 'N'.repeat(251), { viaf }),
      row('r2', 'N'.repeat(251)),
    ])
    await server.run(project)
    // Case 5: the name is too long to be asked for, the identifier is not.
    expect(await server.results(project)).toEqual([
      'r0 matched Q121',
      'r1 matched Q121',
      'r2 skipped',
    ])
    expect(server.asked().filter((asked) => !asked.startsWith('items'))).toEqual([
      'text haswbstatement:"P214=113230702"',
    ])
    const { rule } = await decisionOf(project.id, 'r2')
    expect(rule).toBe('name-too-long')
  })

  it('case 22: the right name with a wrong identifier is never automatic', async () => {
    world(
      person('Q131', 'Teufen', '1801-01-01', { viaf: '31' }),
      person('Q132', 'Teufen am Rhein', '1802-02-02', { viaf: '32' }),
    )
    const project = await server.project([
      row('r0', 'Teufen', { viaf: '999' }),
      row('r1', 'Teufen', { viaf: '32' }),
    ])
    await server.run(project)
    const [nobodys, anothers] = await server.results(project)
    expect(nobodys).toBe('r0 review')
    expect(['r1 review', 'r1 matched Q132']).toContain(anothers)
  })

  it('case 27: who was found under an old id is matched under the new one, and who is gone is left out', async () => {
    const lives = person('Q144', 'Dora Merged', '1911-01-01')
    const answer = fakeWikidata(
      [human, unitedKingdom, { ...lives, id: 'Q141' }, { ...lives, id: 'Q142' }, lives],
      { redirects: { Q141: 'Q144' }, gone: ['Q142'] },
    )
    server.service.respond(answer)
    const project = await server.project([row('r0', 'Dora Merged', { born: '1911-01-01' })])
    await server.run(project)
    expect(await server.results(project)).toEqual(['r0 matched Q144'])
    const { evidence } = await decisionOf(project.id, 'r0')
    expect(evidence.candidates.map(({ id, foundAs }) => [id, foundAs])).toEqual([
      ['Q144', ['Q141']],
    ])
    expect(evidence.gone).toEqual(['Q142'])
  })

  it('case 30: an item with a label for all languages only is found and shown', async () => {
    world(person('Q151', 'Mulder Mul', '1921-01-01', { language: 'mul' }))
    const project = await server.project([row('r0', 'Mulder Mul', { born: '1921-01-01' })], {
      languages: ['nl'],
    })
    await server.run(project)
    expect(await server.results(project)).toEqual(['r0 matched Q151'])
    expect((await decisionOf(project.id, 'r0')).evidence.candidates[0]?.label).toBe('Mulder Mul')
  })

  it('case 20: a list that is cut off among equal names is stored so, and decides nothing by itself', async () => {
    world(...['Q161', 'Q162', 'Q163'].map((id) => entity(id, { labels: { en: 'John Smith' } })))
    const project = await server.project([row('r0', 'John Smith')], { limit: 2 })
    await server.run(project)
    expect(await server.results(project)).toEqual(['r0 review'])
    expect((await decisionOf(project.id, 'r0')).evidence.truncated).toBe(true)
  })

  it('a type asked for is met by every class below it', async () => {
    const painter = person('Q171', 'Tina Type', '1931-01-01')
    world(
      { ...painter, claims: { ...painter.claims, P31: [itemValue('Q1172')] } },
      entity('Q1172', { labels: { en: 'sort of human' }, claims: { P279: [itemValue('Q1173')] } }),
      entity('Q1173', { labels: { en: 'being' } }),
    )
    const project = await server.project([row('r0', 'Tina Type', { born: '1931-01-01' })], {
      types: ['Q1173'],
    })
    await server.run(project)
    const type = (await decisionOf(project.id, 'r0')).evidence.candidates[0]?.features.find(
      ({ feature }) => feature === 'type',
    )
    expect(type).toMatchObject({ verdict: 'agree', candidate: 'sort of human' })
    expect(server.asked().filter((asked) => asked.startsWith('items'))).toEqual([
      'items Q171',
      'items Q1172',
      'items Q1173',
    ])
  })

  it('many tasks at once fetch each item once', async () => {
    const people = Array.from({ length: 12 }, (_, index) =>
      person(`Q18${index + 10}`, `Crowd Number ${index}`, `19${index + 10}-01-01`),
    )
    const claims = (one: FakeEntity) => ({ ...one.claims, P27: [itemValue('Q1899')] })
    world(
      ...people.map((one) => ({ ...one, claims: claims(one) })),
      entity('Q1899', { labels: { en: 'Freedonia' } }),
    )
    const project = await server.project(
      people.map((_, index) => row(`r${index}`, `Crowd Number ${index}`)),
    )
    const handle = await server.bench.start(project.id, { options: { entriesPerTask: 1 } })
    await handle.result()
    const fetched = server
      .asked()
      .filter((asked) => asked.startsWith('items '))
      .flatMap((asked) => asked.slice('items '.length).split('|'))
    expect(fetched).toContain('Q1899')
    expect(fetched).toHaveLength(new Set(fetched).size)
  })
})

async function decisionOf(projectId: number, externalId: string) {
  return server.bench.db
    .selectFrom('subject as s')
    .innerJoin('entry as e', 'e.id', 's.entry_id')
    .innerJoin('decision as d', 'd.id', 's.decision_id')
    .where('s.project_id', '=', projectId)
    .where('e.external_id', '=', externalId)
    .select(['d.rule', 'd.evidence'])
    .executeTakeFirstOrThrow()
}
