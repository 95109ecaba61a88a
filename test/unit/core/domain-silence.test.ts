import { describe, expect, it } from 'vitest'
import { afterFailure, type DomainSilence, silentMs } from '../../../src/core/domain-silence.ts'

const HOUR_MS = 3_600_000

function failuresAt(...hours: readonly number[]): number {
  const silence = hours.reduce<DomainSilence | null>(
    (before, hour) => afterFailure(before, hour * HOUR_MS),
    null,
  )
  return silence === null ? 0 : silentMs(silence) / HOUR_MS
}

describe('the silence of a domain', () => {
  it('is counted from the first failed call', () => {
    expect(failuresAt(1)).toBe(0)
    expect(failuresAt(1, 2, 3, 4)).toBe(3)
  })
  it('does not count waits of over an hour that the server asked for: nobody asked it meanwhile', () => {
    expect(failuresAt(1, 2, 26, 50)).toBe(0)
    expect(failuresAt(1, 2.5)).toBe(0)
  })
  it('does not count a weekend in which nobody asked', () => {
    expect(failuresAt(1, 2, 60)).toBe(0)
    expect(failuresAt(1, 2, 60, 61)).toBe(1)
  })
})
