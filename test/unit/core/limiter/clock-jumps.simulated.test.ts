/**
 * The clock of the limiter's host jumps, by any amount, at any moment (case B10). Time that really passes is told
 * apart: it is what the server at the other end sees.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fullRate, perLease, tokensOf } from '../../../../src/core/limiter/current-rate.ts'
import type { LeaseGrant } from '../../../../src/core/limiter/protocol.ts'
import { LimiterAt } from './limiter-at.ts'
import { fixedPolicy } from './random-story.ts'

interface Moment {
  /** Of real time since the moment before. */
  readonly passMs: number
  readonly worker: string
  readonly permits: number
}

const moments = fc.array(
  fc.record({
    passMs: fc.nat(2500),
    worker: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    permits: fc.integer({ min: 1, max: 500 }),
  }),
  { minLength: 5, maxLength: 60 },
)
const hourMs = 3_600_000
const runs = { numRuns: 50 }

/** One process asks at each moment; before the one at `jumpAt`, the host's clock jumps. */
function replies(
  story: readonly Moment[],
  limiter: LimiterAt,
  jumpMs: number,
  jumpAt: number,
): readonly ReturnType<LimiterAt['acquire']>[] {
  return story.map(({ passMs, worker, permits }, index) => {
    if (index === jumpAt) {
      limiter.nowMs += jumpMs
      limiter.send({ kind: 'tick' })
    }
    limiter.nowMs += passMs
    return limiter.acquire(worker, permits)
  })
}

interface Running {
  readonly lease: LeaseGrant
  readonly rps: number
  readonly fromMs: number
  readonly toMs: number
}

/** The leases as their holders spend them, in real time. */
function runningLeases(
  story: readonly Moment[],
  answers: ReturnType<typeof replies>,
): readonly Running[] {
  let realMs = 0
  return story.flatMap(({ passMs }, index) => {
    realMs += passMs
    const lease = answers[index]
    if (lease?.granted !== true) return []
    const fromMs = realMs + lease.firstDelayMs
    const toMs = Math.min(fromMs + lease.permits * lease.spacingMs, realMs + lease.ttlMs)
    return [{ lease, rps: 1000 / lease.spacingMs, fromMs, toMs }]
  })
}

describe('a clock that jumps back', () => {
  it('neither refills nor blocks: every answer is the one it would have been', () => {
    fc.assert(
      fc.property(moments, fixedPolicy, fc.nat(hourMs), fc.nat(60), (story, policy, ms, at) => {
        const still = replies(story, new LimiterAt(policy), 0, at)
        const jumped = replies(story, new LimiterAt(policy), -ms, at)
        expect(jumped).toEqual(still)
      }),
      runs,
    )
  })

  it('during a wait, an open breaker or a pause by hand changes none of them', () => {
    const waiting = new LimiterAt({ maxRps: 10 })
    waiting.refused(waiting.granted('a', 20), 60_000)
    const broken = new LimiterAt({ maxRps: 10 }, waiting.nowMs)
    const lease = broken.granted('a', 20)
    broken.report('a', lease, { failed: 10, failuresInARow: 10 })
    for (const limiter of [waiting, broken]) {
      limiter.nowMs += 1000
      const before = limiter.acquire('b', 1)
      limiter.nowMs -= hourMs
      expect(limiter.acquire('b', 1)).toEqual(before)
    }
  })
})

it('case B10: an hour back, then two forward, while somebody waits: no longer wait, and one bucket', () => {
  const limiter = new LimiterAt({ maxRps: 10 })
  limiter.refused(limiter.granted('a', 20), 60_000)
  limiter.nowMs += 10_000
  limiter.send({ kind: 'tick' })
  limiter.nowMs -= hourMs
  expect(limiter.acquire('a', 20)).toMatchObject({ askAgainMs: 50_000 })
  limiter.nowMs += 2 * hourMs
  const first = limiter.granted('a', 1000)
  expect(first.permits).toBeLessThanOrEqual(20)
  expect(limiter.acquire('b', 1000).granted).toBe(false)
  expect(tokensOf(limiter.state)).toBeGreaterThanOrEqual(0)
  expect(tokensOf(limiter.state)).toBeLessThanOrEqual(30 - first.permits)
})

describe('a clock that jumps forward', () => {
  it('refills one bucket at most', () => {
    fc.assert(
      fc.property(moments, fixedPolicy, fc.nat(2 * hourMs), fc.nat(60), (story, policy, ms, at) => {
        const limiter = new LimiterAt(policy)
        const answers = replies(story, limiter, ms, at)
        const permits = answers.reduce((sum, it) => sum + (it.granted ? it.permits : 0), 0)
        const realMs = story.reduce((sum, { passMs }) => sum + passMs, 0)
        const { policy: rules } = limiter.state
        const rate = fullRate(limiter.state)
        const aheadMs = Math.max(rules.slotMs, rules.minSpacingMs)
        const bucket = (rate * aheadMs) / 1000 + perLease(rate, rules)
        expect(permits).toBeLessThanOrEqual((rate * realMs) / 1000 + 2 * bucket + 1e-6)
      }),
      runs,
    )
  })

  it('lets leases overlap for one life at most, and two of them at most', () => {
    let overlaps = 0
    fc.assert(
      fc.property(moments, fixedPolicy, fc.nat(2 * hourMs), fc.nat(60), (story, policy, ms, at) => {
        const limiter = new LimiterAt(policy)
        const running = runningLeases(story, replies(story, limiter, ms, at))
        const rate = fullRate(limiter.state) * 1.001
        const jumpMs = story.slice(0, at).reduce((sum, { passMs }) => sum + passMs, 0)
        const before = running.filter(({ lease, fromMs }) => fromMs - lease.firstDelayMs <= jumpMs)
        const overMs = Math.max(jumpMs, ...before.map(({ toMs }) => toMs))
        for (const { fromMs } of running) {
          const rps = running
            // Instants are kept to a thousandth of a ms.
            .filter((other) => other.fromMs <= fromMs && fromMs < other.toMs - 0.01)
            .reduce((sum, other) => sum + other.rps, 0)
          const isJust = fromMs >= jumpMs && fromMs < overMs
          if (rps > rate) overlaps += 1
          expect(rps).toBeLessThanOrEqual(isJust ? 2 * rate : rate)
        }
      }),
      runs,
    )
    // Else this test would look at nothing.
    expect(overlaps).toBeGreaterThan(0)
  })
})
