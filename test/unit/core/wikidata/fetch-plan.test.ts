import { expect, it } from 'vitest'
import { planFetches } from '../../../../src/core/wikidata/fetch-plan.ts'
import { facts } from './item-scene.ts'

const ids = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => `Q${first + index}`)
const fresh = (id: string) => ({ id, attempts: 0, facts: null })
const wanted = { languages: ['nl'], pids: ['P31'] }

it('items are fetched by fifty', () => {
  const plan = planFetches(ids(120).map(fresh), wanted)
  expect(plan.map((fetch) => fetch.ids.length)).toEqual([50, 50, 20])
  expect(plan[0]?.wanted).toEqual({ languages: ['nl', 'mul', 'en'], pids: ['P31'] })
  expect(planFetches([], wanted)).toEqual([])
})

it('items of calls that failed are asked for in smaller groups, in the end alone', () => {
  const items = [
    ...ids(3).map(fresh),
    ...ids(12, 10).map((id) => ({ ...fresh(id), attempts: 1 })),
    ...ids(2, 30).map((id) => ({ ...fresh(id), attempts: 2 })),
    { ...fresh('Q40'), attempts: 7 },
  ]
  expect(planFetches(items, wanted).map((fetch) => fetch.ids.length)).toEqual([3, 10, 2, 1, 1, 1])
})

it('what is known of an item already is fetched again with what is new', () => {
  const known = facts('Q1', { heldLanguages: ['fr', 'mul', 'en'], heldPids: ['P214'] })
  const [fetch] = planFetches([{ id: 'Q1', attempts: 0, facts: known }], wanted)
  expect(fetch?.wanted).toEqual({ languages: ['nl', 'fr', 'mul', 'en'], pids: ['P31', 'P214'] })
})

it('statements are not asked for with those of which only names are wanted', () => {
  const whole = facts('Q2', { heldPids: ['P31'] })
  const items = [fresh('Q1'), { id: 'Q2', attempts: 0, facts: whole }]
  const plan = planFetches(items, { languages: ['en'], pids: [] })
  expect(plan.map((fetch) => [fetch.ids, fetch.wanted.pids])).toEqual([
    [['Q1'], []],
    [['Q2'], ['P31']],
  ])
})
