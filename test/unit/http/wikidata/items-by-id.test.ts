import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../../src/http/exchange-record.ts'
import type { ItemStateAnswer } from '../../../../src/http/item-state-source.ts'
import type { ItemAnswer } from '../../../../src/http/value-source.ts'
import { createWikidataStates } from '../../../../src/http/wikidata/item-states.ts'
import { createWikidataValues } from '../../../../src/http/wikidata/item-values.ts'
import { apiError, entity, fakeWikidata, statement } from '../../../support/fake-wikidata.ts'
import type { FakeAnswer, FakeHandler } from '../../../support/fake-reconciliation-service.ts'
import { wikidataScene } from './wikidata-scene.ts'

const item = (id: string) => statement('wikibase-entityid', { 'entity-type': 'item', id })
const ada = entity('Q1', {
  labels: { mul: 'Ada' },
  aliases: { en: ['A.'], mul: ['Countess', 'A.'] },
  descriptions: { nl: 'wiskundige' },
  sitelinks: { nlwiki: 'Ada' },
  claims: { P27: [item('Q145')], P19: [item('Q84')] },
})
const places = [
  entity('Q145', { labels: { en: 'United Kingdom', nl: 'Verenigd Koninkrijk' } }),
  entity('Q84', { labels: { en: 'London' } }),
]

async function valuesOf(
  handler: FakeAnswer | FakeHandler,
  ids: readonly string[],
  properties: readonly string[],
) {
  const scene = await wikidataScene(handler)
  const answers: ItemAnswer[] = []
  const told: Exchange['kind'][] = []
  const outcome = await createWikidataValues(scene.api)
    .fetchValues(ids, properties, {
      languages: ['nl'],
      signal: scene.signal,
      onAnswer: async (some) => void answers.push(...some),
      onExchange: async ({ kind }) => void told.push(kind),
    })
    .then(
      () => 'done',
      (error: { code?: string }) => error.code,
    )
  return { scene, answers, told, outcome }
}

describe('values of items', () => {
  it('come with the names of items in the wanted language, else in English', async () => {
    const { answers, told } = await valuesOf(fakeWikidata([ada, ...places]), ['Q1'], ['P27', 'P19'])
    expect(answers).toEqual([
      {
        id: 'Q1',
        status: 'answered',
        held: {
          P27: [{ id: 'Q145', name: 'Verenigd Koninkrijk' }],
          P19: [{ id: 'Q84', name: 'London' }],
        },
      },
    ])
    expect(told).toEqual(['ok', 'ok'])
  })

  it('are labels, aliases, descriptions and sitelinks too; what is the same in all languages counts', async () => {
    const properties = ['Lnl', 'Len', 'Aen', 'Dnl', 'Den', 'Snlwiki', 'Sdewiki']
    const { answers, scene } = await valuesOf(fakeWikidata([ada]), ['Q1'], properties)
    expect(answers).toMatchObject([
      {
        held: {
          Lnl: ['Ada'],
          Len: ['Ada'],
          Aen: ['A.', 'Countess'],
          Dnl: ['wiskundige'],
          Den: [],
          Snlwiki: ['Ada'],
          Sdewiki: [],
        },
      },
    ])
    expect(Object.fromEntries(scene.asked()[0] ?? [])).toMatchObject({
      props: 'info|labels|aliases|descriptions|sitelinks',
      languages: 'nl|en|mul',
      sitefilter: 'nlwiki|dewiki',
    })
  })

  it('are asked fifty items at a time, only those statements', async () => {
    const many = Array.from({ length: 120 }, (_, index) => entity(`Q${index + 1}`))
    const ids = many.map(({ id }) => id)
    const { answers, scene } = await valuesOf(fakeWikidata(many), ids, ['P569'])
    expect(answers.map(({ id }) => id)).toEqual(ids)
    expect(scene.asked().map((one) => one.get('ids')?.split('|').length)).toEqual([50, 50, 20])
    expect(scene.asked()[0]?.get('props')).toBe('info|claims')
    expect(scene.asked()[0]?.has('languages')).toBe(false)
  })

  it('of an item that is gone are a failure of its own, for good; the others are answered', async () => {
    const { answers } = await valuesOf(fakeWikidata([ada]), ['Q9', 'Q1'], ['Lnl'])
    expect(answers).toMatchObject([
      { id: 'Q9', status: 'failed', error: { kind: 'permanent', code: 'item_gone' } },
      { id: 'Q1', status: 'answered' },
    ])
  })

  it.each(['birthday', 'P', 'L', 'Lx y', 'P569|P570', 'SNL'])(
    'that Wikidata does not have (%s) are not asked for',
    async (property) => {
      const { outcome, scene } = await valuesOf(fakeWikidata([ada]), ['Q1'], [property])
      expect([outcome, scene.service.requests.length]).toEqual(['unknown_property', 0])
    },
  )

  it('that an answer leaves out are failures to be asked again, told as such, never "states nothing"', async () => {
    const { answers, told } = await valuesOf({ json: { entities: {} } }, ['Q1'], ['P27'])
    expect(answers).toMatchObject([{ status: 'failed', error: { kind: 'transient' } }])
    expect(new Set(told)).toEqual(new Set(['transient']))
  })
})

it('names that were told before a wait are not asked for again after it', async () => {
  const actors = Array.from({ length: 90 }, (_, index) => entity(`Q${index + 100}`))
  const film = entity('Q2', { claims: { P161: actors.map(({ id }) => item(id)) } })
  const answer = fakeWikidata([film, ...actors])
  let requests = 0
  const scene = await wikidataScene((request) => {
    requests += 1
    return requests === 3 ? apiError('ratelimited') : answer(request)
  })
  const source = createWikidataValues(scene.api)
  const values = async () =>
    source.fetchValues(['Q2'], ['P161'], {
      languages: ['nl'],
      signal: scene.signal,
      onAnswer: async () => undefined,
      onExchange: async () => undefined,
    })
  await expect(values()).rejects.toMatchObject({ kind: 'throttled' })
  await values()
  const sizes = scene.asked().map((one) => one.get('ids')?.split('|').length)
  expect(sizes).toEqual([1, 50, 40, 1, 40])
})

describe('case 27: what became of items', () => {
  const handler = fakeWikidata([ada, entity('Q4')], {
    redirects: { Q3: 'Q4', Q5: 'Q3' },
    unreadable: ['Q6'],
  })

  it('is told by their ids, fifty in a request, without anything else of them', async () => {
    const scene = await wikidataScene(handler)
    const states = await createWikidataStates(scene.api).statesOf(
      ['Q1', 'Q2', 'Q3', 'Q5', 'Q6', 'no id'],
      { signal: scene.signal, onExchange: async () => undefined },
    )
    expect(states.toSorted(byId)).toEqual([
      { id: 'Q1', state: 'present' },
      { id: 'Q2', state: 'missing' },
      { id: 'Q3', state: 'merged', into: 'Q4' },
      { id: 'Q5', state: 'missing' },
      { id: 'Q6', state: 'missing' },
      { id: 'no id', state: 'missing' },
    ])
    expect(scene.asked()[0]?.get('props')).toBe('info')
  })

  it('is not known where the server does not say it', async () => {
    const scene = await wikidataScene({ json: { entities: {} } })
    const states = await createWikidataStates(scene.api).statesOf(['Q1'], {
      signal: scene.signal,
      onExchange: async () => undefined,
    })
    expect(states).toMatchObject([{ id: 'Q1', state: 'failed' }])
  })
})

function byId(a: ItemStateAnswer, b: ItemStateAnswer): number {
  return a.id < b.id ? -1 : 1
}
