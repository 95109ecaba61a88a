/** What a limiter shows of itself. */
import { holdOf } from './hold.ts'
import { currentRate, type LimiterState } from './limiter-state.ts'
import type { LimiterSnapshot } from './protocol.ts'

export function snapshotOf(state: LimiterState): LimiterSnapshot {
  const hold = holdOf(state)
  const workers = Object.values(state.workers)
  const waiting = workers
    .filter((worker) => worker.leases.length === 0)
    .flatMap((worker) => worker.wants.map(([, permits]) => permits))
  return {
    domain: state.domain,
    fillRate: currentRate(state),
    tokens: Math.round(state.tokens * 100) / 100,
    inFlight: workers.reduce((sum, worker) => sum + worker.inFlight, 0),
    waiting: waiting.reduce((sum, permits) => sum + permits, 0),
    totalRequests: state.totals.sent,
    throttledRequests: state.totals.throttled,
    denied: state.totals.denied,
    state: 'closed',
    consecutiveFails: state.failuresInARow,
    avgLatencyMs: state.avgLatencyMs,
    nextEarliestMs: hold?.forMs ?? 0,
    hold: hold?.reason ?? null,
    parkedForMs: hold?.reason === 'retry_after' && state.parkedMs > 0 ? state.parkedMs : null,
    pausedBecause: state.pausedBecause,
    workers: workers.length,
  }
}
