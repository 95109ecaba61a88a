/** What holds whatever is asked in whatever order, with messages lost, repeated and late. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bucketCapacity,
  fullRate,
  workerInFlight,
  workerRate,
  type LimiterState,
  type WorkerRecord,
} from '../../../../src/core/limiter/limiter-state.ts'
import { holdOf } from '../../../../src/core/limiter/hold.ts'
import type {
  AcquireReply,
  LeaseGrant,
  LeaseReport,
} from '../../../../src/core/limiter/protocol.ts'
import { LimiterAt, reportFor } from './limiter-at.ts'

const worker = fc.constantFrom('a', 'b', 'c', 'd', 'e')

const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      worker,
      permits: fc.integer({ min: 0, max: 60 }),
      /** Part of what it may have on its way that it has. */
      busy: fc.double({ min: 0, max: 1, noNaN: true }),
      repeat: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      worker,
      ok: fc.nat(20),
      throttled: fc.nat(2),
      unused: fc.nat(20),
      retryAfterMs: fc.option(fc.nat(5000), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), worker }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(2500) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('jump' as const),
      ms: fc.integer({ min: -3_600_000, max: 0 }),
    }),
  },
)

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

const policy = fc.record({
  maxRps: fc.double({ min: 0.05, max: 200, noNaN: true }),
  maxInFlight: fc.integer({ min: 1, max: 12 }),
  minSpacingMs: fc.constantFrom(0, 0, 0, 700),
})

interface Granted {
  readonly worker: string
  readonly lease: LeaseGrant
  /** The reply to the same request delivered once more. */
  readonly again: AcquireReply
  /** By a clock that never jumps. */
  readonly atMs: number
}

/** Plays the story and looks at the state after every step. */
function play(
  story: readonly Happening[],
  limits: { maxRps: number; maxInFlight: number; minSpacingMs: number },
  look: (limiter: LimiterAt, granted: readonly Granted[], realMs: number) => void,
): void {
  const limiter = new LimiterAt(limits)
  const granted: Granted[] = []
  const inFlight = new Map<string, number>()
  const caps = new Map<string, number>()
  const sequences = new Map<string, number>()
  let realMs = 0
  for (const event of story) {
    switch (event.kind) {
      case 'ask': {
        const cap = caps.get(event.worker) ?? 0
        const now = inFlight.get(event.worker) ?? 0
        const busy = now > cap ? now : Math.floor(cap * event.busy)
        const requestId = `${event.worker}-${granted.length}-${realMs}`
        const ask = () =>
          limiter.acquire(event.worker, event.permits, { inFlight: busy, requestId })
        const reply = ask()
        const again = reply.granted && event.repeat ? ask() : reply
        inFlight.set(event.worker, busy)
        if (!reply.granted) break
        caps.set(event.worker, reply.inFlightCap)
        granted.push({ worker: event.worker, lease: reply, again, atMs: realMs })
        break
      }
      case 'report': {
        const last = granted.findLast((grant) => grant.worker === event.worker)
        if (last === undefined) break
        const sequence = (sequences.get(last.lease.leaseId) ?? 0) + 1
        sequences.set(last.lease.leaseId, sequence)
        const { ok, throttled, unused, retryAfterMs } = event
        const counts: Partial<LeaseReport> = { ok, throttled, unused, sequence }
        const asked = retryAfterMs === undefined ? {} : { retryAfterMs }
        const report = reportFor(last.lease, { ...counts, ...asked })
        limiter.acquire(event.worker, 0, { reports: [report, report], inFlight: 0 })
        break
      }
      case 'release': {
        const leaseIds = granted
          .filter((g) => g.worker === event.worker)
          .map((g) => g.lease.leaseId)
        const request = { worker: event.worker, requestId: 'r', leaseIds, inFlight: 0, reports: [] }
        limiter.send({ kind: 'release', request })
        break
      }
      case 'wait':
        limiter.nowMs += event.ms
        realMs += event.ms
        limiter.send({ kind: 'tick' })
        break
      case 'jump':
        limiter.nowMs += event.ms
        limiter.send({ kind: 'tick' })
    }
    look(limiter, granted, realMs)
  }
}

function sum(state: LimiterState, of: (worker: WorkerRecord) => number): number {
  return Object.values(state.workers).reduce((total, record) => total + of(record), 0)
}

describe('whatever happens', () => {
  const stories = fc.array(happening, { minLength: 5, maxLength: 60 })
  const runs = { numRuns: 60 }

  it('the rates of live leases add up to at most the rate', () => {
    fc.assert(
      fc.property(stories, policy, (story, limits) => {
        play(story, limits, ({ state }) => {
          expect(sum(state, workerRate)).toBeLessThanOrEqual(fullRate(state.policy) * 1.0001)
        })
      }),
      runs,
    )
  })

  it('the in-flight caps, and what is on its way, add up to at most the cap', () => {
    fc.assert(
      fc.property(stories, policy, (story, limits) => {
        play(story, limits, ({ state }) => {
          expect(sum(state, workerInFlight)).toBeLessThanOrEqual(state.policy.maxInFlight)
        })
      }),
      runs,
    )
  })

  it('tokens stay between nothing and one bucket', () => {
    fc.assert(
      fc.property(stories, policy, (story, limits) => {
        play(story, limits, ({ state }) => {
          expect(state.tokens).toBeGreaterThanOrEqual(0)
          const capacity = bucketCapacity(fullRate(state.policy), state.policy)
          expect(state.tokens).toBeLessThanOrEqual(capacity)
        })
      }),
      runs,
    )
  })

  it('permits granted and not handed back are at most rate × time and one bucket', () => {
    const plain = fc.array(
      happening.filter(
        (event) => event.kind === 'ask' || event.kind === 'wait' || event.kind === 'jump',
      ),
      { minLength: 5, maxLength: 80 },
    )
    fc.assert(
      fc.property(plain, policy, (story, limits) => {
        play(story, limits, ({ state }, granted, realMs) => {
          const rate = fullRate(state.policy)
          const permits = granted.reduce((total, { lease }) => total + lease.permits, 0)
          const allowed = (rate * realMs) / 1000 + bucketCapacity(rate, state.policy)
          // A clock that jumped back stands still until it has caught up with itself, or less.
          expect(permits).toBeLessThanOrEqual(allowed + 1e-6)
        })
      }),
      runs,
    )
  })

  it('nothing is granted while everybody was told to wait', () => {
    fc.assert(
      fc.property(stories, policy, (story, limits) => {
        const grantedWhileHeld: number[] = []
        let before = 0
        let wasHeld = false
        play(story, limits, ({ state }, granted) => {
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

  it('a request delivered twice brings the same lease', () => {
    fc.assert(
      fc.property(stories, policy, (story, limits) => {
        play(story, limits, (_, granted) => {
          expect(granted.at(-1)?.again).toEqual(granted.at(-1)?.lease)
        })
      }),
      runs,
    )
  })

  it('a lease outlives its last permit, and the limiter counts it longer than the broker', () => {
    fc.assert(
      fc.property(stories, policy, (story, limits) => {
        play(story, limits, (_, granted) => {
          const lease = granted.at(-1)?.lease
          if (lease === undefined) return
          const lastMs = lease.firstDelayMs + (lease.permits - 1) * lease.spacingMs
          expect(lease.ttlMs).toBeGreaterThan(lastMs)
          expect(lease.ttlMs).toBeGreaterThanOrEqual(4000)
          const total = lease.shares.reduce((permits, share) => permits + share.permits, 0)
          expect(total).toBe(lease.permits)
        })
      }),
      runs,
    )
  })
})

it('case B12: no fraction of a permit is lost in the long run', () => {
  for (const maxRps of [0.1, 0.9, 1.7, 3.3333, 19.3]) {
    const limiter = new LimiterAt({ maxRps })
    let permits = 0
    while (limiter.state.clockMs < 3_600_000) {
      const reply = limiter.acquire('a', 1000)
      if (reply.granted) permits += reply.permits
      limiter.nowMs += reply.granted ? reply.renewAfterMs : reply.askAgainMs
    }
    const { clockMs, policy } = limiter.state
    const most = (maxRps * clockMs) / 1000 + bucketCapacity(maxRps, policy)
    expect(permits).toBeLessThanOrEqual(most)
    expect(permits).toBeGreaterThan(most * 0.99 - 2)
  }
})
