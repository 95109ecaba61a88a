/** What holds whatever is asked in whatever order, with messages lost, repeated and late. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  currentInFlight,
  currentRate,
  fullRate,
  perLease,
  tokensOf,
} from '../../../../src/core/limiter/current-rate.ts'
import { holdOf } from '../../../../src/core/limiter/hold.ts'
import {
  leaseRps,
  workerInFlight,
  type Lease,
  type LimiterState,
} from '../../../../src/core/limiter/limiter-state.ts'
import { step } from '../../../../src/core/limiter/step.ts'
import { LimiterAt } from './limiter-at.ts'
import {
  anyPolicy,
  fixedPolicy,
  happening,
  play,
  type Granted,
  type Happening,
} from './random-story.ts'

const ALMOST = 1e-6

function leasesOf(state: LimiterState): Lease[] {
  return Object.values(state.workers).flatMap(({ leases }) => leases)
}

/** The highest that the rates of running leases add up to, at any instant from now on. */
function mostLeased(state: LimiterState): number {
  const leases = leasesOf(state).filter(({ endMs }) => endMs > state.clockMs)
  const starts = leases.map(({ startMs }) => Math.max(startMs, state.clockMs))
  const rates = starts.map((ms) =>
    leases
      .filter(({ startMs, endMs }) => startMs <= ms && ms < endMs)
      .reduce((sum, lease) => sum + leaseRps(lease), 0),
  )
  return Math.max(0, ...rates)
}

const plain = (event: Happening) =>
  event.kind === 'ask' || event.kind === 'wait' || event.kind === 'jump'
/** Instants are kept to a thousandth of a ms, of leases that may last two and a half. */
const ROUNDED = 1.001
const stories = fc.array(happening, { minLength: 5, maxLength: 60 })
const whole = fc.array(
  happening.filter((event) => event.kind !== 'report' || event.failed === 0),
  {
    minLength: 5,
    maxLength: 60,
  },
)
const runs = { numRuns: 80 }

describe('whatever happens', () => {
  it('the rates of running leases add up to at most the rate, at every instant', () => {
    fc.assert(
      fc.property(whole, fixedPolicy, (story, policy) => {
        play(story, policy, ({ state }) => {
          expect(mostLeased(state)).toBeLessThanOrEqual(fullRate(state) * ROUNDED)
        })
      }),
      runs,
    )
  })

  it('with a rate that is learned: at most the highest at which one of them was granted', () => {
    fc.assert(
      fc.property(whole, anyPolicy, (story, policy) => {
        play(story, policy, ({ state }) => {
          const rates = leasesOf(state).map(({ domainRps }) => domainRps)
          expect(mostLeased(state)).toBeLessThanOrEqual(Math.max(0, ...rates) * ROUNDED)
        })
      }),
      runs,
    )
  })

  it('the in-flight caps, and what is on its way, add up to at most the cap', () => {
    fc.assert(
      fc.property(stories, fixedPolicy, (story, policy) => {
        play(story, policy, ({ state }) => {
          const workers = Object.values(state.workers)
          const taken = workers.reduce((sum, one) => sum + workerInFlight(one, state.clockMs), 0)
          const cap = Math.max(
            currentInFlight(state),
            state.breaker.generation > 0 ? state.policy.maxInFlight : 0,
          )
          expect(taken).toBeLessThanOrEqual(cap)
        })
      }),
      runs,
    )
  })

  it('tokens stay between nothing and one bucket', () => {
    fc.assert(
      fc.property(stories, anyPolicy, (story, policy) => {
        play(story, policy, ({ state }) => {
          const tokens = tokensOf(state)
          expect(tokens).toBeGreaterThanOrEqual(0)
          const bucket = 1.5 * perLease(currentRate(state), state.policy)
          expect(tokens).toBeLessThanOrEqual(bucket + ALMOST)
        })
      }),
      runs,
    )
  })

  it('case B17: permits granted are at most rate × time and one bucket, however many ask ahead', () => {
    fc.assert(
      fc.property(
        fc.array(happening.filter(plain), { minLength: 5, maxLength: 80 }),
        fixedPolicy,
        (story, limits) => {
          play(story, limits, ({ state }, granted, realMs) => {
            const { slotMs, minSpacingMs } = state.policy
            const rate = fullRate(state)
            const permits = granted.reduce((total, { lease }) => total + lease.permits, 0)
            const aheadMs = Math.max(slotMs, minSpacingMs)
            const bucket = (rate * aheadMs) / 1000 + perLease(rate, state.policy)
            // A clock that jumped back stands still until it has caught up with itself, or less.
            expect(permits).toBeLessThanOrEqual((rate * realMs) / 1000 + bucket + ALMOST)
          })
        },
      ),
      runs,
    )
  })

  it('case B30: with one holder, two permits that are used are one spacing apart, whoever has them', () => {
    const calm = whole.map((story) =>
      story.filter(
        (event) => event.kind !== 'jump' && (event.kind !== 'report' || event.throttled === 0),
      ),
    )
    const slow = fixedPolicy.map((policy) => ({
      ...policy,
      maxRps: Math.min(100, policy.maxRps ?? 1),
    }))
    fc.assert(
      fc.property(calm, slow, (story, policy) => {
        let all: readonly Granted[] = []
        const { state } = play(story, policy, (_, granted) => (all = granted))
        const sends = all
          .flatMap(({ lease, atMs, voidMs }) =>
            Array.from(
              { length: lease.permits },
              (_, permit) => atMs + lease.firstDelayMs + permit * lease.spacingMs,
            ).filter((sendMs) => sendMs < voidMs || sendMs === atMs),
          )
          .sort((a, b) => a - b)
        const gaps = sends.slice(1).map((sendMs, index) => sendMs - (sends[index] ?? 0))
        expect(Math.min(Infinity, ...gaps)).toBeGreaterThanOrEqual(1000 / fullRate(state) - 0.01)
      }),
      runs,
    )
  })

  it('nothing is granted while everybody was told to wait', () => {
    fc.assert(
      fc.property(stories, anyPolicy, (story, policy) => {
        const grantedWhileHeld: number[] = []
        let before = 0
        let wasHeld = false
        play(story, policy, ({ state }, granted) => {
          const isHeld = holdOf(state) !== null
          if (wasHeld && isHeld) grantedWhileHeld.push(granted.length - before)
          before = granted.length
          wasHeld = isHeld
        })
        expect(grantedWhileHeld.every((leases) => leases === 0)).toBe(true)
      }),
      runs,
    )
  })

  it('case B24: a request delivered twice brings the same lease', () => {
    fc.assert(
      fc.property(stories, anyPolicy, (story, policy) => {
        play(story, policy, (_, granted) => {
          expect(granted.at(-1)?.again).toEqual(granted.at(-1)?.lease)
        })
      }),
      runs,
    )
  })

  it('epochs and lease numbers only grow, and the clock never goes back', () => {
    fc.assert(
      fc.property(stories, anyPolicy, (story, policy) => {
        let before = { epoch: 0, leasesGranted: 0, clockMs: 0 }
        play(story, policy, ({ state }) => {
          expect(state.epoch).toBeGreaterThanOrEqual(before.epoch)
          expect(state.leasesGranted).toBeGreaterThanOrEqual(before.leasesGranted)
          expect(state.clockMs).toBeGreaterThanOrEqual(before.clockMs)
          before = state
        })
      }),
      runs,
    )
  })

  it('the state is plain JSON: saved and read again, it does the same', () => {
    fc.assert(
      fc.property(stories, anyPolicy, (story, policy) => {
        const { state, nowMs } = play(story, policy, ({ state: now }) => {
          expect(JSON.parse(JSON.stringify(now))).toStrictEqual(now)
        })
        const copy: LimiterState = JSON.parse(JSON.stringify(state))
        const wants = [{ project: '1', permits: 7 }]
        const request = { worker: 'a', requestId: 'last', wants, inFlight: 0, reports: [] }
        const event = { kind: 'acquire', request } as const
        expect(step(copy, event, nowMs + 900, 0.3)).toEqual(step(state, event, nowMs + 900, 0.3))
      }),
      runs,
    )
  })

  it('a lease outlives its last permit, and the limiter counts it longer than the broker', () => {
    fc.assert(
      fc.property(stories, anyPolicy, (story, policy) => {
        play(story, policy, ({ state }, granted) => {
          const lease = granted.at(-1)?.lease
          if (lease === undefined) return
          const lastMs = lease.firstDelayMs + (lease.permits - 1) * lease.spacingMs
          expect(lease.ttlMs).toBeGreaterThan(lastMs)
          expect(lease.renewAfterMs).toBeLessThanOrEqual(lastMs + lease.spacingMs + 1)
          const total = lease.shares.reduce((permits, share) => permits + share.permits, 0)
          expect(total).toBe(lease.permits)
          for (const { startMs, endMs, expiresMs } of leasesOf(state)) {
            expect(expiresMs - endMs).toBeGreaterThanOrEqual(500 - ALMOST)
            expect(endMs).toBeGreaterThan(startMs)
          }
        })
      }),
      runs,
    )
  })

  it('somebody who asks when told to is served in the end', () => {
    fc.assert(
      fc.property(stories, anyPolicy, (story, policy) => {
        const limiter = play(story, policy, () => undefined)
        const untilMs = limiter.nowMs + 1_200_000
        let reply = limiter.acquire('patient', 1)
        while (!reply.granted && limiter.nowMs < untilMs) {
          expect(reply.askAgainMs).toBeGreaterThan(0)
          limiter.nowMs += reply.askAgainMs
          reply = limiter.acquire('patient', 1)
        }
        expect(reply.granted).toBe(true)
      }),
      runs,
    )
  })
})

describe('cases B12 and B22: no fraction of a permit is lost in the long run', () => {
  it.each([0.1, 0.9, 1.7, 3.3333, 19.3, 250])('at %f a second', (maxRps) => {
    const limiter = new LimiterAt({ maxRps })
    let permits = 0
    while (limiter.state.clockMs < 3_600_000) {
      const reply = limiter.acquire('a', 10_000)
      if (reply.granted) permits += reply.permits
      limiter.nowMs += reply.granted ? reply.renewAfterMs : reply.askAgainMs
    }
    const { clockMs, policy } = limiter.state
    const exact = (maxRps * clockMs) / 1000
    expect(permits).toBeLessThanOrEqual(exact + 2 * perLease(maxRps, policy))
    expect(permits).toBeGreaterThanOrEqual(exact * 0.999 - 2)
  })
})
