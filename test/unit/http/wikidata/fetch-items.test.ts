import { describe, expect, it } from 'vitest'
import { labelOf, namesOf } from '../../../../src/core/wikidata/item-facts.ts'
import { entity, fakeWikidata, statement } from '../../../support/fake-wikidata.ts'
import { wikidataScene } from './wikidata-scene.ts'

const named = (id: string, label: string) => entity(id, { labels: { en: label } })
const many = Array.from({ length: 120 }, (_, index) => named(`Q${index + 1}`, `Item ${index + 1}`))

it('items come in one call, each id once', async () => {
  const scene = await wikidataScene(fakeWikidata(many))
  const ids = many.slice(0, 50).map(({ id }) => id)
  const items = await scene.items([...ids, 'Q1', 'Q2'])
  expect(items.map(({ askedId, id }) => [askedId, id])).toEqual(ids.map((id) => [id, id]))
  expect(scene.asked().map((params) => params.get('ids')?.split('|').length)).toEqual([50])
})

it('where only names are wanted, only labels are asked for', async () => {
  const scene = await wikidataScene(fakeWikidata([named('Q1', 'One')]))
  const [item] = await scene.items(['Q1'], { pids: [] })
  expect(item?.labels).toEqual({ en: 'One' })
  expect(scene.asked()[0]?.get('props')).toBe('info|labels')
})

it('case 27: a merged item comes under its new id, a deleted one is missing, and so is a double redirect', async () => {
  const scene = await wikidataScene(
    fakeWikidata([named('Q4', 'D'), named('Q3', 'C')], { redirects: { Q1: 'Q4', Q5: 'Q1' } }),
  )
  const items = await scene.items(['Q1', 'Q2', 'Q3', 'Q4', 'Q5'])
  expect(items.map(({ askedId, id }) => [askedId, id])).toEqual([
    ['Q1', 'Q4'],
    ['Q2', null],
    ['Q3', 'Q3'],
    ['Q4', 'Q4'],
    ['Q5', null],
  ])
})

describe('case 28: one bad id in fifty', () => {
  it('is not even asked for when it is malformed', async () => {
    const scene = await wikidataScene(fakeWikidata(many))
    const ids = [...many.slice(0, 49).map(({ id }) => id), 'Q2 Stadium']
    const items = await scene.items(ids)
    expect(items.filter(({ id }) => id !== null)).toHaveLength(49)
    expect(items.find(({ askedId }) => askedId === 'Q2 Stadium')).toMatchObject({ id: null })
    expect(scene.service.requests).toHaveLength(1)
  })

  it('is found by halving when the server cannot read it, and the others arrive', async () => {
    const scene = await wikidataScene(fakeWikidata(many, { unreadable: ['Q17'] }))
    const items = await scene.items(many.slice(0, 50).map(({ id }) => id))
    expect(items.filter(({ id }) => id === null).map(({ askedId }) => askedId)).toEqual(['Q17'])
    expect(items).toHaveLength(50)
    // 50 is halved six times: one call that works and one that does not at each depth.
    expect(scene.service.requests.length).toBeLessThanOrEqual(13)
  })
})

it('an answer that is too long is asked for in halves, and what is too long alone is an error', async () => {
  const claims = { P1: [statement('string', 'x'.repeat(3_000))] }
  const large = many.slice(0, 8).map((one) => ({ ...one, claims }))
  const scene = await wikidataScene(fakeWikidata(large), { maxBodyBytes: 16_000 })
  const items = await scene.items(large.map(({ id }) => id))
  expect(items.map(({ id }) => id)).toEqual(large.map(({ id }) => id))
  expect(scene.asked().map((params) => params.get('ids')?.split('|').length)).toEqual([8, 4, 4])
  const giant = await wikidataScene(fakeWikidata(large), { maxBodyBytes: 3_000 })
  await expect(giant.items(['Q1'])).rejects.toMatchObject({ code: 'body_too_large' })
})

it('case 30: a label for all languages is found and shown in the asked language', async () => {
  const scene = await wikidataScene(
    fakeWikidata([
      entity('Q1', { labels: { mul: 'Radiohead' }, aliases: { mul: ['On a Friday'] } }),
      entity('Q2', { labels: { mul: 'A', nl: 'B', en: 'C' } }),
      entity('Q3', { labels: { fr: 'Rien' } }),
    ]),
  )
  const items = await scene.items(['Q1', 'Q2', 'Q3'], { languages: ['nl'] })
  expect(items.map((item) => [labelOf(item, ['nl']), namesOf(item, ['nl'])])).toEqual([
    ['Radiohead', ['Radiohead', 'On a Friday']],
    ['B', ['B', 'A', 'C']],
    [null, []],
  ])
  expect(scene.asked()[0]?.get('languages')).toBe('nl|mul|en')
})

it('only the wanted properties are kept, with the revision', async () => {
  const claims = {
    P214: [statement('string', '113230702')],
    P31: [statement('wikibase-entityid', { id: 'Q5' })],
  }
  const scene = await wikidataScene(fakeWikidata([entity('Q42', { claims })]))
  const [fetched] = await scene.items(['Q42'], { pids: ['P214', 'P569'] })
  expect(fetched).toMatchObject({ properties: { P214: ['113230702'] }, revision: 1042 })
})

it('an answer that leaves an id out is malformed, never "missing"', async () => {
  const scene = await wikidataScene({ json: { entities: {}, success: 1 } })
  await expect(scene.items(['Q1'])).rejects.toMatchObject({ code: 'malformed_answer' })
})

describe('what people look at comes with the same answer:', () => {
  const claims = {
    P18: [statement('string', 'Ada.jpg')],
    P31: [statement('wikibase-entityid', { id: 'Q5' })],
  }
  const linked = entity('Q1', {
    labels: { en: 'Ada' },
    claims,
    sitelinks: { nlwiki: 'Ada', enwiki: 'Ada L' },
  })

  it('an image, and how many pages are linked to the item', async () => {
    const scene = await wikidataScene(fakeWikidata([linked, named('Q2', 'Bare')]))
    const items = await scene.items(['Q1', 'Q2', 'Q3'])
    expect(items.map(({ sitelinks, properties }) => [sitelinks, properties['P18']])).toEqual([
      [2, ['Ada.jpg']],
      [0, undefined],
      [null, undefined],
    ])
    expect(items[0]?.heldPids).toEqual(['P31', 'P18'])
    expect(scene.service.requests).toHaveLength(1)
  })

  it('not where only names are wanted', async () => {
    const scene = await wikidataScene(fakeWikidata([linked]))
    const [item] = await scene.items(['Q1'], { pids: [] })
    expect([item?.sitelinks, item?.heldPids, item?.properties]).toEqual([null, [], {}])
  })
})
