import { describe, expect, it } from 'vitest'
import { thresholdsByKind, type ProjectSettings } from '../../../../src/core/project-settings.ts'
import { dressAnswer } from '../../../../src/core/wikidata/dress-answers.ts'
import type { ItemFacts } from '../../../../src/core/wikidata/item-facts.ts'
import { itemNeeds } from '../../../../src/core/wikidata/item-needs.ts'
import { fillShelf } from '../../../../src/core/wikidata/item-shelf.ts'
import { answerOf, facts, item, shop } from './item-scene.ts'

const settings: ProjectSettings = {
  service: 'wikidata',
  kind: 'generic',
  languages: ['en'],
  types: [],
  limit: 10,
  thresholds: thresholdsByKind.generic,
  mapping: {
    name: 'name',
    variants: [],
    properties: [{ pid: 'P27', columns: ['country'], kind: 'item', use: 'compare' }],
  },
}

async function dress(
  ids: readonly string[],
  items: readonly ItemFacts[],
  options: {
    readonly types?: readonly string[]
    readonly failed?: readonly string[]
    readonly languages?: readonly string[]
  } = {},
) {
  const { types = [], failed, languages = ['en'] } = options
  const needs = itemNeeds({ ...settings, types, languages })
  const store = shop(items, failed)
  const shelf = await fillShelf(ids, needs, store.provide)
  return { ...dressAnswer(answerOf(...ids), types, { shelf, needs }), wanted: store.wanted }
}

const uk = item('Q145', {})
const human = item('Q5', { P279: ['Q215627'] })
const being = item('Q215627', {})

describe('a candidate found by a search', () => {
  it('gets the names, classes and values of its item, the items among these by name', async () => {
    const ada = facts('Q1', {
      labels: { en: 'Ada Lovelace', mul: 'Ada' },
      aliases: { en: ['Ada Byron'] },
      descriptions: { en: 'mathematician' },
      properties: { P31: [{ id: 'Q5' }], P27: [{ id: 'Q145' }], P214: ['97'] },
    })
    const { list } = await dress(['Q1'], [ada, uk, human])
    expect(list?.candidates).toEqual([
      {
        id: 'Q1',
        name: 'Ada Lovelace',
        names: ['Ada Lovelace', 'Ada', 'Ada Byron'],
        description: 'mathematician',
        types: [{ id: 'Q5', name: 'label of Q5' }],
        serviceScore: null,
        serviceMatch: false,
        features: [],
        properties: {
          P31: [{ id: 'Q5', name: 'label of Q5' }],
          P27: [{ id: 'Q145', name: 'label of Q145' }],
        },
      },
    ])
  })

  it('items that are values come under each of their names in the languages of the project, and in English', async () => {
    const heldLanguages = ['nl', 'mul', 'en']
    const ada = { ...item('Q1', { P27: ['Q145'], P31: ['Q5'] }), heldLanguages }
    const labels = { nl: 'Verenigd Koninkrijk', mul: 'UK', en: 'United Kingdom' }
    const kingdom = facts('Q145', { labels, heldLanguages })
    const { list } = await dress(['Q1'], [ada, kingdom, facts('Q5', { heldLanguages })], {
      languages: ['nl'],
    })
    expect(list?.candidates[0]?.properties?.['P27']).toEqual([
      { id: 'Q145', name: 'Verenigd Koninkrijk' },
      { id: 'Q145', name: 'UK' },
      { id: 'Q145', name: 'United Kingdom' },
    ])
  })

  it('case 27: merged into another candidate it is one with it, and one that is gone is left out with its id', async () => {
    const merged = { ...item('Q4', {}), askedId: 'Q1' }
    const gone = facts('Q2', { id: null })
    const { list } = await dress(
      ['Q1', 'Q2', 'Q3', 'Q4'],
      [merged, gone, item('Q3', {}), item('Q4', {})],
    )
    expect(list?.candidates.map(({ id, foundAs }) => [id, foundAs])).toEqual([
      ['Q4', ['Q1']],
      ['Q3', undefined],
    ])
    expect(list?.gone).toEqual(['Q2'])
  })

  it('the answer is missing as long as an item of it, or one that names, is not known', async () => {
    const ada = item('Q1', { P27: ['Q145'] })
    expect(await dress(['Q1', 'Q2'], [ada, uk])).toMatchObject({ status: 'missing', list: null })
    expect(await dress(['Q1'], [ada])).toMatchObject({ status: 'missing', list: null })
    const short = { ...ada, heldPids: ['P31'] }
    expect(await dress(['Q1'], [short, uk])).toMatchObject({ status: 'missing', list: null })
  })

  it('an item that could not be asked for makes the answer failed, never shorter', async () => {
    const failed = { failed: ['Q2'] }
    expect(await dress(['Q1', 'Q2'], [item('Q1', {})], failed)).toMatchObject({
      status: 'failed',
      list: null,
      errorCode: 'bad',
    })
  })

  it('a value that is no item, or that is gone, has no name and hinders nothing', async () => {
    const odd = item('Q1', { P27: ['Q9'] })
    const lexeme = { ...odd, properties: { P27: [{ id: 'L7' }, { id: 'Q9' }] } }
    const { list } = await dress(['Q1'], [lexeme, facts('Q9', { id: null })])
    expect(list?.candidates[0]?.properties?.['P27']).toEqual([{ id: 'L7' }, { id: 'Q9' }])
  })
})

describe('the type asked for', () => {
  const typeOf = async (candidate: ItemFacts, items: readonly ItemFacts[], types: string[]) =>
    (await dress(['Q1'], [candidate, ...items], { types })).list?.candidates[0]?.features

  it('agrees with the class and with every class below it', async () => {
    const person = item('Q1', { P31: ['Q5'] })
    expect(await typeOf(person, [human, being], ['Q5'])).toEqual([{ id: 'type', value: true }])
    expect(await typeOf(person, [human, being], ['Q215627'])).toEqual([{ id: 'type', value: true }])
    expect(await typeOf(person, [human, being], ['Q43229'])).toEqual([{ id: 'type', value: false }])
  })

  it('agrees with the class that another was merged into', async () => {
    const person = item('Q1', { P31: ['Q6'] })
    const merged = { ...item('Q5', {}), askedId: 'Q6' }
    expect(await typeOf(person, [merged], ['Q5'])).toEqual([{ id: 'type', value: true }])
  })

  it('says nothing of an item without a class', async () => {
    expect(await typeOf(item('Q1', {}), [], ['Q5'])).toEqual([])
  })

  it('is not known as long as a class above is not', async () => {
    const person = item('Q1', { P31: ['Q5'] })
    expect(await dress(['Q1'], [person, human], { types: ['Q43229'] })).toMatchObject({
      status: 'missing',
    })
  })

  it('classes in a ring, which Wikidata has, are gone through once', async () => {
    const ring = [item('Q10', { P279: ['Q11'] }), item('Q11', { P279: ['Q10'] })]
    const thing = item('Q1', { P31: ['Q10'] })
    expect(await typeOf(thing, ring, ['Q5'])).toEqual([{ id: 'type', value: false }])
    const { wanted } = await dress(['Q1'], [thing, ...ring], { types: ['Q5'] })
    expect(wanted.map(([ids]) => ids)).toEqual(['Q1', 'Q10', 'Q11', 'Q10'])
  })

  it('classes are not looked at where no type is asked for', async () => {
    const { wanted } = await dress(['Q1'], [item('Q1', { P31: ['Q5'] }), human])
    expect(wanted.map(([ids, { pids }]) => [ids, pids.length > 0])).toEqual([
      ['Q1', true],
      ['Q5', false],
    ])
  })
})

it('what library headings tell is wanted of persons only: years of life, and by name what they were', () => {
  const { candidates, namedPids } = itemNeeds({ ...settings, kind: 'person' })
  expect(candidates.pids).toEqual(expect.arrayContaining(['P569', 'P570', 'P106']))
  expect(namedPids).toContain('P106')
  expect(itemNeeds(settings).candidates.pids).not.toContain('P106')
})
