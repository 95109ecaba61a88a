/** Stories of a limiter in which anything happens: asked, told, silent, repeated, its clock moved. */
import * as fc from 'fast-check'
import type { DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import type {
  AcquireReply,
  LeaseGrant,
  LeaseReport,
} from '../../../../src/core/limiter/protocol.ts'
import { reportFor } from '../../../support/lease-report.ts'
import { LimiterAt } from './limiter-at.ts'

/** A process with requests on its way speaks every two seconds; one that was silent for longer has none. */
const SILENT_MS = 2_000

const worker = fc.constantFrom('a', 'b', 'c', 'd', 'e')

export const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      worker,
      permits: fc.integer({ min: 0, max: 60 }),
      isUrgent: fc.boolean(),
      /** Part of what it may have on its way that it has. */
      busy: fc.double({ min: 0, max: 1, noNaN: true }),
      repeat: fc.boolean(),
      /** What its messages take, both ways. */
      linkMs: fc.constantFrom(undefined, 60, 60, 800),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      worker,
      ok: fc.nat(20),
      throttled: fc.constantFrom(0, 0, 1, 2),
      failed: fc.constantFrom(0, 0, 0, 5),
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

export type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

export const fixedPolicy: fc.Arbitrary<Partial<DomainPolicy>> = fc.record({
  maxRps: fc.double({ min: 0.05, max: 400, noNaN: true }),
  maxInFlight: fc.integer({ min: 1, max: 12 }),
  minSpacingMs: fc.constantFrom(0, 0, 0, 700),
})
export const anyPolicy: fc.Arbitrary<Partial<DomainPolicy>> = fc.record({
  strategy: fc.constantFrom('adaptive', 'aimd', 'multiplier', 'cubic', 'fixed'),
  initialRps: fc.double({ min: 0.05, max: 20, noNaN: true }),
  maxRps: fc.double({ min: 20, max: 400, noNaN: true }),
  maxInFlight: fc.integer({ min: 1, max: 12 }),
  minSpacingMs: fc.constantFrom(0, 0, 0, 700),
})

export interface Granted {
  readonly worker: string
  readonly lease: LeaseGrant
  /** The reply to the same request delivered once more. */
  readonly again: AcquireReply
  /** By a clock that never jumps, as all instants here. */
  readonly atMs: number
  /** From when on its process holds it no more. */
  voidMs: number
}

/** Plays the story and looks at the state after every step. */
export function play(
  story: readonly Happening[],
  policy: Partial<DomainPolicy>,
  look: (limiter: LimiterAt, granted: readonly Granted[], realMs: number) => void,
): LimiterAt {
  const limiter = new LimiterAt(policy)
  const granted: Granted[] = []
  const inFlight = new Map<string, number>()
  const caps = new Map<string, number>()
  const sequences = new Map<string, number>()
  /** When each spoke last. */
  const heardMs = new Map<string, number>()
  /** Permits accounted for, by lease. */
  const told = new Map<string, number>()
  let realMs = 0
  let asks = 0
  const drop = (name: string) => {
    for (const grant of granted) {
      if (grant.worker === name) grant.voidMs = Math.min(grant.voidMs, realMs)
    }
  }
  for (const event of story) {
    switch (event.kind) {
      case 'ask': {
        const cap = caps.get(event.worker) ?? 0
        const isLate = realMs - (heardMs.get(event.worker) ?? 0) > SILENT_MS
        const now = isLate ? 0 : (inFlight.get(event.worker) ?? 0)
        heardMs.set(event.worker, realMs)
        const untold = granted
          .filter((grant) => grant.worker === event.worker && realMs < grant.voidMs)
          .reduce(
            (sum, { lease }) => sum + Math.max(0, lease.permits - (told.get(lease.leaseId) ?? 0)),
            0,
          )
        const most = Math.min(cap, now + untold)
        const busy = now > most ? now : Math.floor(most * event.busy)
        asks += 1
        const requestId = `${event.worker}-${asks}`
        const priority = event.isUrgent ? 'interactive' : 'normal'
        const wants = [{ project: '1', permits: event.permits, priority } as const]
        const link = event.linkMs === undefined ? {} : { roundTripMs: event.linkMs }
        const ask = () =>
          limiter.acquire(event.worker, 0, { wants, inFlight: busy, requestId, ...link })
        const reply = ask()
        const again = reply.granted && event.repeat ? ask() : reply
        inFlight.set(event.worker, busy)
        if (!reply.granted) {
          if (reply.revoked) drop(event.worker)
          break
        }
        caps.set(event.worker, reply.inFlightCap)
        granted.push({
          worker: event.worker,
          lease: reply,
          again,
          atMs: realMs,
          voidMs: realMs + reply.ttlMs,
        })
        break
      }
      case 'report': {
        const last = granted.findLast((grant) => grant.worker === event.worker)
        if (last === undefined) break
        const sequence = (sequences.get(last.lease.leaseId) ?? 0) + 1
        sequences.set(last.lease.leaseId, sequence)
        const { ok, throttled, failed, unused, retryAfterMs } = event
        const counts: Partial<LeaseReport> = {
          ok,
          throttled,
          failed,
          unused,
          sequence,
          failuresInARow: failed,
        }
        const before = told.get(last.lease.leaseId) ?? 0
        told.set(last.lease.leaseId, before + ok + throttled + failed + unused)
        const asked = retryAfterMs === undefined ? {} : { retryAfterMs }
        const report = reportFor(last.lease, { ...counts, ...asked })
        // A process that is refused drops all that it holds.
        if (throttled > 0) drop(event.worker)
        const reply = limiter.acquire(event.worker, 0, { reports: [report, report], inFlight: 0 })
        inFlight.set(event.worker, 0)
        heardMs.set(event.worker, realMs)
        if (!reply.granted && reply.revoked) drop(event.worker)
        break
      }
      case 'release': {
        const leaseIds = granted
          .filter((grant) => grant.worker === event.worker)
          .map(({ lease }) => lease.leaseId)
        const request = { worker: event.worker, requestId: 'r', leaseIds, inFlight: 0, reports: [] }
        drop(event.worker)
        inFlight.set(event.worker, 0)
        heardMs.set(event.worker, realMs)
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
  return limiter
}
