import { expect, test } from 'vitest'
import { goalText, summarise } from '../../../../bench/limiter/summary.ts'
import type { Goal } from '../../../../bench/limiter/stories/story.ts'

test('a goal is for the median of all seeds, and the worst is shown beside it', () => {
  expect(summaryOf([99, 97, 98.5], { atLeast: 98 })).toMatchObject({
    value: 98.5,
    worst: 97,
    ok: true,
  })
  expect(summaryOf([0, 3, 2, 1], { atMost: 1 })).toMatchObject({ value: 1.5, worst: 3, ok: false })
})

test('what must always hold must hold for the worst', () => {
  const goal: Goal = { atMost: 0, isInvariant: true }
  expect(summaryOf([0, 0, 1], goal)).toMatchObject({ value: 1, worst: 1, ok: false })
  expect(summaryOf([0, 0, 0], goal)).toMatchObject({ ok: true })
})

test('a rate that most seeds never reach is never reached', () => {
  expect(summaryOf([20, Infinity, Infinity], { atMost: 45 })).toMatchObject({
    value: Infinity,
    ok: false,
  })
  expect(summaryOf([20, Infinity], { atMost: 45 })).toMatchObject({ value: Infinity, ok: false })
})

test('the worst of two sides is the one further off', () => {
  expect(summaryOf([98, 100, 100.5], { atLeast: 99, atMost: 101 }).worst).toBe(98)
})

test('strategies that are only compared have no goals', () => {
  expect(summarise([[{ name: 'use', value: 1, unit: '%', goal: { atLeast: 98 } }]], false)).toEqual(
    [{ name: 'use', value: 1, unit: '%', worst: 1, ok: null }],
  )
})

test('goals are shown as people read them', () => {
  expect([{ atLeast: 98 }, { atMost: 1.001 }, { atLeast: 10, atMost: 30 }].map(goalText)).toEqual([
    '≥ 98',
    '≤ 1',
    '10–30',
  ])
})

function summaryOf(values: readonly number[], goal: Goal) {
  const [summary] = summarise(
    values.map((value) => [{ name: 'use', value, unit: '%', goal }]),
    true,
  )
  if (summary === undefined) throw new Error('no summary')
  return summary
}
