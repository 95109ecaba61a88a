import { expect, it } from 'vitest'
import type { Candidate } from '../../../../src/core/matching/candidate.ts'
import { stateFrom } from '../../../../src/http/reconciliation/item-states.ts'

const candidate = (id: string, changes: Partial<Candidate> = {}): Candidate => ({
  id,
  name: 'A city',
  names: ['A city'],
  description: null,
  types: [],
  serviceScore: 100,
  serviceMatch: true,
  features: [],
  ...changes,
})

it('an item that its id finds is present, be others found by a like name', () => {
  expect(stateFrom('Q64', [candidate('Q1'), candidate('Q64')])).toEqual({
    id: 'Q64',
    state: 'present',
  })
})

it('one certain answer with another id is what the item became part of', () => {
  expect(stateFrom('Q64', [candidate('Q6')])).toEqual({ id: 'Q64', state: 'merged', into: 'Q6' })
})

it.each([
  ['nothing is found', []],
  ['the answer is not certain', [candidate('Q6', { serviceMatch: false })]],
  ['several are found by name', [candidate('Q6'), candidate('Q7', { serviceMatch: false })]],
  ['one is found because it is called like the id', [candidate('Q6', { names: ['Q64'] })]],
])('an item is missing where %s', (_, candidates) => {
  expect(stateFrom('Q64', candidates)).toEqual({ id: 'Q64', state: 'missing' })
})
