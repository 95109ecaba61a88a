/** Counts how the requests of one lease ended, until the limiter is told. */
import type { CallOutcome } from './permit.ts'
import { LONGEST_DURATION_MS, type LeaseReport, type PublishedLimit } from './protocol.ts'

export interface Tally {
  readonly leaseId: string
  readonly epoch: number
  /** Of the next report. */
  readonly sequence: number
  readonly counts: Readonly<Record<CallOutcome['kind'], number>>
  readonly unused: number
  readonly cost: number
  readonly waited: number
  readonly retries: number
  readonly failuresInARow: number
  /** By `claimKey`, in cost units. */
  readonly owed: Readonly<Record<string, number>>
  /** Of successes, ms; the latest. */
  readonly latenciesMs: readonly number[]
  readonly lastRefusalMs?: number
  readonly retryAfterMs?: number
  readonly published?: readonly PublishedLimit[]
}

/** How a permit was come by. */
export interface Errand {
  /** Its caller had waited more than a second. */
  readonly hasWaited: boolean
  readonly isRetry: boolean
  /** What using it owes to projects (`duesOf`). Default nothing. */
  readonly dues?: Readonly<Record<string, number>>
}

const SAMPLES = 64
/** What a message may carry. */
const MOST_PUBLISHED = 4
const MOST_OWED = 16

export function newTally(leaseId: string, epoch: number, sequence: number): Tally {
  const counts = { ok: 0, throttled: 0, overload: 0, failed: 0, neutral: 0, cancelled: 0 }
  const nothing = { unused: 0, cost: 0, waited: 0, retries: 0, failuresInARow: 0, latenciesMs: [] }
  return { leaseId, epoch, sequence, counts, ...nothing, owed: {} }
}

export function countOutcome(
  tally: Tally,
  outcome: CallOutcome,
  errand: Errand,
  nowMs: number,
): Tally {
  const { kind, cost = 1, published } = outcome
  const latencyMs = duration(outcome.latencyMs)
  const retryAfterMs = duration(outcome.retryAfterMs)
  const isFailure = kind === 'overload' || kind === 'failed'
  const failuresInARow = isFailure ? tally.failuresInARow + 1 : 0
  return {
    ...tally,
    counts: { ...tally.counts, [kind]: tally.counts[kind] + 1 },
    cost: tally.cost + Math.max(0, cost),
    owed: addDues(tally.owed, errand.dues ?? {}, Math.max(0, cost)),
    waited: tally.waited + (errand.hasWaited ? 1 : 0),
    retries: tally.retries + (errand.isRetry ? 1 : 0),
    ...(published === undefined || published.length === 0 ? {} : { published }),
    failuresInARow: kind === 'cancelled' ? tally.failuresInARow : failuresInARow,
    ...(kind === 'ok' && latencyMs !== undefined
      ? { latenciesMs: [...tally.latenciesMs, latencyMs].slice(-SAMPLES) }
      : {}),
    ...(kind === 'throttled' ? { lastRefusalMs: nowMs } : {}),
    ...(kind === 'throttled' && retryAfterMs !== undefined
      ? { retryAfterMs: Math.max(retryAfterMs, tally.retryAfterMs ?? 0) }
      : {}),
  }
}

function addDues(owed: Tally['owed'], dues: Tally['owed'], cost: number): Tally['owed'] {
  const added = Object.entries(dues).map(([key, part]): [string, number] => [
    key,
    (owed[key] ?? 0) + part * cost,
  ])
  return { ...owed, ...Object.fromEntries(added) }
}

/** A clock that jumped must not make the whole report unreadable. */
function duration(ms: number | undefined): number | undefined {
  return ms !== undefined && ms >= 0 ? Math.min(ms, LONGEST_DURATION_MS) : undefined
}

export function countUnused(tally: Tally, permits: number): Tally {
  return { ...tally, unused: tally.unused + permits }
}

export function reportOf(tally: Tally, nowMs: number): LeaseReport {
  const { counts, lastRefusalMs, retryAfterMs } = tally
  const sent = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const sorted = tally.latenciesMs.toSorted((a, b) => a - b)
  const total = sorted.reduce((sum, latency) => sum + latency, 0)
  return {
    leaseId: tally.leaseId,
    epoch: tally.epoch,
    sequence: tally.sequence,
    sent,
    ok: counts.ok,
    throttled: counts.throttled,
    overloaded: counts.overload,
    failed: counts.failed,
    neutral: counts.neutral,
    cancelled: counts.cancelled,
    unused: tally.unused,
    cost: tally.cost,
    waited: tally.waited,
    retries: tally.retries,
    failuresInARow: tally.failuresInARow,
    latency: {
      count: sorted.length,
      meanMs: sorted.length === 0 ? 0 : total / sorted.length,
      p95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0,
      ...(sorted[0] === undefined ? {} : { leastMs: sorted[0] }),
    },
    ...owedOf(tally),
    ...(lastRefusalMs === undefined ? {} : { throttledAgoMs: Math.max(0, nowMs - lastRefusalMs) }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(tally.published === undefined
      ? {}
      : { published: tally.published.slice(0, MOST_PUBLISHED) }),
  }
}

/** Sixteen projects at most, those that are owed most or least. */
function owedOf({ owed }: Tally): Pick<LeaseReport, 'owed'> {
  const parts = Object.entries(owed)
    .map(([key, cost]): [string, number] => [key, Number(cost.toFixed(3))])
    .filter(([, cost]) => cost !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, MOST_OWED)
  return parts.length === 0 ? {} : { owed: parts }
}
