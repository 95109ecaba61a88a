/** How long a number of requests takes. */

export interface DomainPace {
  /** Requests per second of all processes together, above 0. */
  readonly ratePerSecond: number
  /** Nothing is sent for so long at first, ms. */
  readonly waitMs: number
  /** Requests on their way at once. */
  readonly inFlight: number
  /** What an answer takes, ms; null: not known. */
  readonly latencyMs: number | null
}

/** Whichever is slower holds: the rate, or the time that answers take. No failure and no change of the rate is foreseen. */
export function estimatedMs(requests: number, pace: DomainPace): number {
  if (requests === 0) return 0
  const { ratePerSecond, waitMs, inFlight, latencyMs } = pace
  const byRateMs = (requests / ratePerSecond) * 1000
  const byLatencyMs = Math.ceil(requests / inFlight) * (latencyMs ?? 0)
  return Math.round(waitMs + Math.max(byRateMs, byLatencyMs))
}
