import { expect, it } from 'vitest'
import { pauseAfterMs } from '../../../../src/client/match/follow-run.ts'

it.each([
  ['a quick look', 5, 500],
  ['one that takes a moment', 80, 2_000],
  ['one at a busy database', 900, 10_000],
  ['one that takes seconds: a tenth of the time at most', 3_000, 30_000],
])('%s is followed by a pause', (_, lookMs, pauseMs) => {
  expect(pauseAfterMs(lookMs)).toBe(pauseMs)
})
