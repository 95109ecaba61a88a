import { expect, it } from 'vitest'
import {
  changeBetween,
  type ChangeKind,
  type Conclusion,
} from '../../../../src/core/matching/result-change.ts'

const concluded = (
  outcome: Conclusion['outcome'],
  qid: string | null = null,
  rule = 'some-rule',
): Conclusion => ({ outcome, qid, rule, reason: null })

const q1 = concluded('matched', 'Q1')
const q2 = concluded('matched', 'Q2')
const cases: readonly (readonly [
  string,
  Conclusion | null,
  Conclusion | null,
  ChangeKind | null,
])[] = [
  ['the same item is no change', q1, q1, null],
  ['a first match is new', null, q1, 'new'],
  ['a match after a review is new', concluded('review', 'Q1'), q1, 'new'],
  ['another item is a change', q1, q2, 'changed'],
  [
    'another item that waits for a person is a change',
    q1,
    concluded('review', 'Q2', 'match-changed'),
    'changed',
  ],
  ['a match that became doubtful is lost', q1, concluded('review', 'Q1', 'score-too-low'), 'lost'],
  ['a match that could not be asked again is lost', q1, concluded('failed'), 'lost'],
  [
    'a review without a candidate any more moved',
    concluded('review', 'Q1'),
    concluded('no_candidate'),
    'moved',
  ],
  [
    'a review of another candidate is still a review',
    concluded('review', 'Q1'),
    concluded('review', 'Q2'),
    null,
  ],
  ['a first conclusion that is no match is no change', null, concluded('review', 'Q1'), null],
]

it.each(cases)('%s', (_, before, after, kind) => {
  expect(changeBetween(before, after, null)).toBe(kind)
})

it('an item that was merged into the one of now is no change of mind', () => {
  expect(changeBetween(q1, q2, 'Q2')).toBe('merged')
  expect(changeBetween(q1, q2, 'Q3')).toBe('changed')
})
