/** What a limiter shows of itself. */
import { controlMode } from './control.ts'
import { currentInFlight, currentRate, tokensOf } from './current-rate.ts'
import { windowTotals } from './error-window.ts'
import { holdOf } from './hold.ts'
import { p95 } from './latency.ts'
import { permitsWanted, type LimiterState } from './limiter-state.ts'
import type { DomainSnapshot } from './protocol.ts'

/** A wait longer than this is shown as parked: nobody looks at a run for an hour to see it go on. */
export const PARKED_MS = 3_600_000

export function snapshotOf(state: LimiterState): DomainSnapshot {
  const { totals, latency, control, clockMs, policy } = state
  const hold = holdOf(state)
  const workers = Object.values(state.workers)
  const waiting = workers
    .filter((worker) => worker.leases.length === 0)
    .reduce((sum, worker) => sum + permitsWanted(worker), 0)
  const recent = windowTotals(state.window, clockMs, policy)
  const isTrickling = hold === null && state.trickleMs !== null
  const nextEarliest = hold?.forMs ?? Math.max(0, Math.ceil((state.trickleMs ?? 0) - clockMs))
  return {
    domain: state.domain,
    fillRate: rounded(currentRate(state), 3),
    tokens: rounded(tokensOf(state), 2),
    avgLatency: latency.shortMs === null ? null : rounded(latency.shortMs, 1),
    p95Latency: p95(latency),
    errorRate: recent.total === 0 ? 0 : rounded((recent.failed + recent.refused) / recent.total, 4),
    state: state.breaker.state,
    consecutiveFails: state.failuresInARow,
    nextEarliest,
    strategy: control.name,
    mode: isTrickling ? 'trickle' : controlMode(control),
    inFlight: workers.reduce((sum, worker) => sum + worker.inFlight, 0),
    inFlightCap: currentInFlight(state),
    waiting,
    totalRequests: totals.sent,
    throttledRequests: totals.waited,
    denied: totals.denied,
    retries: totals.retries,
    refusedRequests: totals.refused,
    hold: hold?.reason ?? (isTrickling && nextEarliest > 0 ? 'trickle' : null),
    parkedForMs: hold?.reason === 'retry_after' && hold.forMs > PARKED_MS ? hold.forMs : null,
    pausedBecause: state.pausedBecause,
    workers: workers.length,
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
