import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fullQuota, repay, takeRetry } from '../../../../src/core/limiter/retry-quota.ts'

type Try = 'ok' | 'transient' | 'throttling'

/** One question after another, each tried until it succeeds or its repeat is not allowed: the quota after each try. */
function quotas(start: number, tries: readonly Try[], most = Infinity): (number | 'refused')[] {
  let quota = start
  let owed: number | undefined
  let attempt = 0
  return tries.map((outcome) => {
    attempt += 1
    if (outcome === 'ok') {
      quota = repay(quota, owed)
      owed = undefined
      attempt = 0
      return quota
    }
    if (attempt >= most) return quota
    const taken = takeRetry(quota, outcome)
    quota = taken.quota
    if (taken.allowed) owed = taken.cost
    return taken.allowed ? quota : 'refused'
  })
}

describe('the published runs of the retry quota', () => {
  it.each<[string, number, readonly Try[], readonly (number | 'refused')[]]>([
    ['500, 500, 200', 500, ['transient', 'transient', 'ok'], [486, 472, 486]],
    ['start 14: one repeat', 14, ['transient', 'transient'], [0, 'refused']],
    ['start 20: one repeat, 6 left', 20, ['transient', 'transient'], [6, 'refused']],
    [
      'start 30: two questions, one after the other',
      30,
      ['transient', 'transient', 'ok', 'transient', 'ok'],
      [16, 2, 16, 2, 16],
    ],
    ['one throttle', 500, ['throttling', 'ok'], [495, 500]],
  ])('V8 %s', (_, start, tries, expected) => {
    expect(quotas(start, tries)).toEqual(expected)
  })

  it('V8 five tries in vain: four repeats are paid for, 444 stay', () => {
    const tries: Try[] = ['transient', 'transient', 'transient', 'transient', 'transient']
    expect(quotas(500, tries, 5)).toEqual([486, 472, 458, 444, 444])
  })
})

describe('B18 an empty quota', () => {
  it('allows no repeat, and costs nothing to ask', () => {
    expect(takeRetry(4, 'throttling')).toEqual({ quota: 4, allowed: false, cost: 0 })
    expect(takeRetry(13, 'transient')).toEqual({ quota: 13, allowed: false, cost: 0 })
  })

  it('is filled by first tries that succeed, so repeats come back without a restart', () => {
    let quota = 0
    for (let success = 1; success <= 14; success++) {
      expect(takeRetry(quota, 'transient').allowed).toBe(false)
      quota = repay(quota, undefined)
    }
    expect(takeRetry(quota, 'transient')).toEqual({ quota: 0, allowed: true, cost: 14 })
  })
})

it('whatever happens: whole, never below nothing, never above full', () => {
  const action = fc.constantFrom<'transient' | 'throttling' | 'repaid' | 'first'>(
    'transient',
    'throttling',
    'repaid',
    'first',
  )
  fc.assert(
    fc.property(fc.nat(fullQuota), fc.array(action, { maxLength: 200 }), (start, actions) => {
      let quota = start
      let cost: number | undefined
      for (const kind of actions) {
        if (kind === 'repaid' || kind === 'first') {
          quota = repay(quota, kind === 'repaid' ? cost : undefined)
          continue
        }
        const taken = takeRetry(quota, kind)
        expect(quota - taken.quota).toBe(taken.cost)
        quota = taken.quota
        if (taken.allowed) cost = taken.cost
      }
      expect(Number.isInteger(quota)).toBe(true)
      expect(quota).toBeGreaterThanOrEqual(0)
      expect(quota).toBeLessThanOrEqual(fullQuota)
    }),
  )
})
