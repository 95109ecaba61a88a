import { describe, expect, it } from 'vitest'
import {
  addSample,
  durationText,
  type RateSample,
  ratePerSecond,
  timeLeftMs,
} from '../../../src/core/work-rate.ts'

const samplesOf = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.reduce<readonly RateSample[]>(
    (samples, [atMs, done]) => addSample(samples, { atMs, done }),
    [],
  )

describe('work rate', () => {
  it('is unknown from one sample', () => {
    expect(ratePerSecond(samplesOf([0, 5]))).toBe(0)
    expect(timeLeftMs(samplesOf([0, 5]), 10)).toBeNull()
  })
  it('counts the last minute only', () => {
    const samples = samplesOf([0, 0], [1_000, 500], [100_000, 500], [110_000, 600])
    expect(ratePerSecond(samples)).toBe(10)
    expect(timeLeftMs(samples, 700)).toBe(10_000)
  })
  it.each([
    [400, '0 s'],
    [45_000, '45 s'],
    [720_000, '12 min'],
    [12_000_000, '3 h 20 min'],
    [187_200_000, '2 d 4 h'],
  ])('writes %i ms as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text)
  })
})
