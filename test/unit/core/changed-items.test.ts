import { describe, expect, it } from 'vitest'
import type { Candidate, CandidateList } from '../../../src/core/matching/candidate.ts'
import { changedItems } from '../../../src/core/matching/changed-items.ts'

const berlin: Candidate = {
  id: 'Q64',
  name: 'Berlin',
  names: ['Berlin', 'Berlino'],
  description: 'capital of Germany',
  types: [{ id: 'Q515' }, { id: 'Q5119' }],
  serviceScore: 100,
  serviceMatch: true,
  features: [],
  properties: { P17: [{ id: 'Q183', name: 'Germany' }], P571: ['1237'] },
}
const list = (...candidates: readonly Candidate[]): CandidateList => ({
  candidates,
  truncated: false,
})
const becomes = (changes: Partial<Candidate>) =>
  changedItems(list(berlin), list({ ...berlin, ...changes }))

describe('an item has changed when a newer answer', () => {
  it.each<[string, Partial<Candidate>]>([
    ['names it otherwise', { name: 'Berlin, Germany' }],
    ['knows it by other names', { names: ['Berlin'] }],
    ['describes it otherwise', { description: 'city' }],
    ['gives it other types', { types: [{ id: 'Q515' }] }],
    ['gives it other values', { properties: { P17: [{ id: 'Q183' }], P571: ['1244'] } }],
  ])('%s', (_, changes) => expect(becomes(changes)).toEqual(['Q64']))

  it('no longer has it', () => expect(changedItems(list(berlin), list())).toEqual(['Q64']))
})

describe('an item has not changed when a newer answer', () => {
  it.each<[string, Partial<Candidate>]>([
    [
      'scores it otherwise',
      { serviceScore: 3, serviceMatch: false, features: [{ id: 'f', value: 1 }] },
    ],
    [
      'lists the same in another order',
      { types: berlin.types.toReversed(), names: ['Berlino', 'Berlin'] },
    ],
    [
      'labels the items it points to otherwise',
      { properties: { P571: ['1237'], P17: [{ id: 'Q183', name: 'Allemagne' }] } },
    ],
  ])('%s', (_, changes) => expect(becomes(changes)).toEqual([]))

  it('shows no values where it showed some', () => {
    const { properties: _, ...without } = berlin
    expect(changedItems(list(berlin), list(without))).toEqual([])
    expect(changedItems(list(without), list(berlin))).toEqual([])
  })

  it('was cut off before it', () => {
    expect(changedItems(list(berlin), { candidates: [], truncated: true })).toEqual([])
  })
})
