/** What the strategy wants, within everything that bounds it. */
import { controlRate } from './control.ts'
import { recentMean } from './latency.ts'
import { leadMs, type LimiterState } from './limiter-state.ts'
import { ceilingAt } from './published-ceiling.ts'

/** Requests per second the server's own published limits allow; null when it names none (any more). */
export function ceilingRps({ ceiling, clockMs }: LimiterState): number | null {
  return ceilingAt(ceiling, clockMs)
}

/** Requests per second of everybody, when nothing is wrong. */
export function fullRate(state: LimiterState): number {
  const { policy, control } = state
  const spaced = policy.minSpacingMs > 0 ? 1000 / policy.minSpacingMs : Infinity
  const most = Math.min(policy.maxRps, spaced, ceilingRps(state) ?? Infinity)
  return Math.min(most, Math.max(policy.minRps, controlRate(control, policy)))
}

/** Requests per second to hand out now: half of the full rate in the slot after a long wait. */
export function currentRate(state: LimiterState): number {
  const isResuming = state.clockMs < state.resumedMs + state.policy.slotMs
  return fullRate(state) / (isResuming ? 2 : 1)
}

/**
 * Requests on their way at once: twice what the rate needs at the present latency (Little's law), or that
 * of the last 64 answers: where most come out of a cache, some quick ones in a row must not hold up the rest.
 */
export function currentInFlight(state: LimiterState): number {
  const { policy, latency } = state
  const latencyMs = Math.max(latency.shortMs ?? policy.latencyTargetMs, recentMean(latency))
  const needed = (fullRate(state) * latencyMs) / 1000
  return Math.min(policy.maxInFlight, Math.ceil(2 * needed) + 1)
}

/** Permits of one lease. */
export function perLease(
  rps: number,
  { slotMs, tokenBucketCapacity }: LimiterState['policy'],
): number {
  const most = Math.min((rps * slotMs) / 1000, tokenBucketCapacity ?? Infinity)
  return Math.max(1, Math.floor(most + 1e-9))
}

/**
 * The permits that could be granted now: leases lie end to end in time, so the schedule is the bucket.
 * @returns At least 0, at most what a slot and the time a lease is asked ahead hold.
 */
export function tokensOf(state: LimiterState): number {
  const { policy, clockMs } = state
  const rate = currentRate(state)
  const reachMs = policy.slotMs + leadMs(policy)
  const ends = Object.values(state.workers).flatMap(({ leases }) =>
    leases.map(({ endMs }) => endMs),
  )
  const freeMs = clockMs + reachMs - Math.max(clockMs, ...ends)
  const most = Math.max(1, perLease(rate, policy) * (reachMs / policy.slotMs))
  return Math.max(0, Math.min(most, (freeMs * rate) / 1000))
}
