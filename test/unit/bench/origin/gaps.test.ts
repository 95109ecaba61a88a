import { expect, test } from 'vitest'
import { longestGapS, secondsUntilSpan } from '../../../../bench/origin/gaps.ts'

const everySecond = (fromMs: number, toMs: number): readonly number[] =>
  Array.from({ length: (toMs - fromMs) / 1000 }, (_, index) => fromMs + index * 1000)

test('the longest gap counts from the beginning and to the end', () => {
  expect(longestGapS([3_000, 4_000], 0, 5_000)).toBe(3)
  expect(longestGapS([1_000, 2_000], 0, 9_000)).toBe(7)
  expect(longestGapS([1_000, 6_000], 0, 8_000)).toBe(5)
  expect(longestGapS([], 0, 8_000)).toBe(8)
  expect(longestGapS([-1_000, 20_000], 0, 8_000)).toBe(8)
})

test('full speed is back when five seconds begin that have most of it', () => {
  const span = { fromMs: 10_000, toMs: 60_000, spanMs: 5_000, rate: 1, part: 0.8 }
  expect(secondsUntilSpan(everySecond(0, 60_000), span)).toBe(0)
  expect(secondsUntilSpan([10_500, ...everySecond(17_000, 60_000)], span)).toBe(7)
})

test('it is never back when that would end after the watch, or is too slow', () => {
  const span = { fromMs: 0, toMs: 20_000, spanMs: 5_000, rate: 1, part: 0.8 }
  expect(secondsUntilSpan(everySecond(16_000, 40_000), span)).toBe(Infinity)
  expect(secondsUntilSpan([0, 2_000, 4_000, 6_000, 8_000], span)).toBe(Infinity)
})
