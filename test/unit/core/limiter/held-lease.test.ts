import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  holdLease,
  leaseEndMs,
  loseMissed,
  nextPermitMs,
  permitsLeft,
  putBack,
  takePermit,
  unspent,
  type HeldLease,
} from '../../../../src/core/limiter/held-lease.ts'
import type { LeaseGrant } from '../../../../src/core/limiter/protocol.ts'

const grant: LeaseGrant = {
  granted: true,
  leaseId: 'x-1',
  epoch: 3,
  permits: 4,
  shares: [{ project: '1', permits: 4 }],
  spacingMs: 500,
  firstDelayMs: 0,
  ttlMs: 4000,
  inFlightCap: 2,
  safeRate: 1,
  renewAfterMs: 1000,
}
const held = (changes: Partial<LeaseGrant> = {}, receivedMs = 1000) =>
  holdLease({ ...grant, ...changes }, 1000, receivedMs, -Infinity)

/** Whoever comes at these moments: when each gets a permit, and what is lost. */
function spend(lease: HeldLease, moments: readonly number[]): { at: number[]; lost: number } {
  let now = lease
  let lost = 0
  const at: number[] = []
  for (const moment of moments) {
    const missed = loseMissed(now, moment)
    lost += missed.lost
    now = missed.lease
    const dueMs = nextPermitMs(now, moment)
    if (dueMs === undefined || dueMs > moment) continue
    at.push(moment)
    now = takePermit(now, '1')
  }
  return { at, lost }
}

describe('permits of a lease', () => {
  it('come one spacing apart from the moment it was received', () => {
    const every10ms = Array.from({ length: 400 }, (_, index) => 1040 + index * 10)
    expect(spend(held({}, 1040), every10ms).at).toEqual([1040, 1540, 2040, 2540])
  })

  it('start later when the limiter says so, or when the lease before ends later', () => {
    expect(nextPermitMs(held({ firstDelayMs: 700 }), 1000)).toBe(1700)
    expect(nextPermitMs(holdLease(grant, 1000, 1000, 2300), 1000)).toBe(2300)
    expect(leaseEndMs(held())).toBe(3000)
  })

  it('that nobody came for are lost, all but one', () => {
    expect(spend(held(), [2600, 2601, 2602])).toEqual({ at: [2600], lost: 3 })
  })

  it('that come often may be caught up for a quarter of a second', () => {
    const fast = held({ permits: 100, spacingMs: 10 })
    const { at, lost } = spend(
      fast,
      Array.from({ length: 60 }, () => 1600),
    )
    expect(at).toHaveLength(25)
    expect(lost).toBe(61 - 25)
  })

  it('are never used at or after the end of its life', () => {
    expect(nextPermitMs(held(), 4999)).toBe(4999)
    expect(nextPermitMs(held(), 5000)).toBeUndefined()
    expect(permitsLeft(held(), 5000)).toBe(0)
    expect(unspent(held())).toBe(4)
    const late = held({ firstDelayMs: 3200 })
    expect(permitsLeft(late, 1000)).toBe(2)
  })

  it('have no next one when that would come after the end of its life', () => {
    // Received late: permits at 4,200 and 4,700 ms, and two that its end at 5,000 ms takes away.
    const late = held({ firstDelayMs: 3200 })
    expect(nextPermitMs(takePermit(late, '1'), 4200)).toBe(4700)
    expect(nextPermitMs(takePermit(takePermit(late, '1'), '1'), 4700)).toBeUndefined()
  })

  it('end a life after they were asked for, however late they came', () => {
    const slow = held({}, 4600)
    expect(spend(slow, [4600, 4999, 5000, 5100, 6000]).at).toEqual([4600])
  })

  it('handed back are used again at once, as long as that is no burst', () => {
    const first = takePermit(held(), '1')
    const back = putBack(first, '1')
    expect(back && nextPermitMs(back, 1001)).toBe(1001)
    expect(back && permitsLeft(back, 1001)).toBe(4)
    expect(back && putBack(back, '1')).toBeUndefined()
    expect(back && nextPermitMs(back, 5000)).toBeUndefined()
  })
})

it('whoever comes whenever: no burst beyond a quarter second, nothing late, nothing invented', () => {
  const moments = fc.array(fc.nat(700), { maxLength: 80 }).map((steps) =>
    steps.map(
      (
        (now) => (step) =>
          (now += step)
      )(1000),
    ),
  )
  fc.assert(
    fc.property(
      moments,
      fc.integer({ min: 5, max: 800 }),
      fc.integer({ min: 1, max: 60 }),
      (arrivals, spacingMs, permits) => {
        const lease = held({ spacingMs, permits })
        const { at, lost } = spend(lease, arrivals)
        expect(at.length + lost).toBeLessThanOrEqual(permits)
        expect(at.every((moment) => moment < lease.expiresMs)).toBe(true)
        const burst = Math.max(1, Math.floor(250 / spacingMs))
        for (const moment of at) {
          const inOneSpacing = at.filter((other) => other >= moment && other < moment + spacingMs)
          expect(inOneSpacing.length).toBeLessThanOrEqual(burst + 1)
        }
      },
    ),
  )
})
