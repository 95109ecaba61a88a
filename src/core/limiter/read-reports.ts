/** What brokers say became of their permits. */
import { leaseNumber } from './lease-id.ts'
import { bucketCapacity, fullRate, type EndedLease, type LimiterState } from './limiter-state.ts'
import type { LeaseReport } from './protocol.ts'
import { refuse } from './refusal.ts'

/** Weight of a new latency in the moving average. */
const LATENCY_WEIGHT = 0.2

export function readReports(
  state: LimiterState,
  reports: readonly LeaseReport[],
  random: number,
): LimiterState {
  return reports.reduce((soFar, report) => readReport(soFar, report, random), state)
}

function readReport(state: LimiterState, report: LeaseReport, random: number): LimiterState {
  const settled = settle(state, report)
  if (settled === 'repeated') return state
  const refusal = {
    epoch: report.epoch,
    agoMs: report.throttledAgoMs ?? 0,
    retryAfterMs: report.retryAfterMs ?? null,
  }
  const heard = settled === 'unknown' ? state : count(settled, report)
  return report.throttled > 0 ? refuse(heard, refusal, random) : heard
}

/**
 * Books a report on its lease and takes back what it did not use. A lease nobody remembers may have
 * been counted long ago, so only its refusals are heard.
 */
function settle(state: LimiterState, report: LeaseReport): LimiterState | 'repeated' | 'unknown' {
  const number = leaseNumber(state.idPrefix, report.leaseId)
  for (const [name, worker] of Object.entries(state.workers)) {
    const lease = worker.leases.find((other) => other.number === number)
    if (lease === undefined) continue
    if (report.sequence <= lease.sequence) return 'repeated'
    const left = lease.permits - lease.settled
    const settled = lease.permits - leftAfter(report, left)
    const leases = worker.leases.map((other) =>
      other === lease ? { ...lease, settled, sequence: report.sequence } : other,
    )
    const workers = { ...state.workers, [name]: { ...worker, leases } }
    return takeBack({ ...state, workers }, Math.min(report.unused, left))
  }
  const lease = state.ended.find(([other]) => other === number)
  if (lease === undefined) return 'unknown'
  const [, sequence, left] = lease
  if (report.sequence <= sequence) return 'repeated'
  const reported: EndedLease = [lease[0], report.sequence, leftAfter(report, left)]
  const ended = state.ended.map((other) => (other === lease ? reported : other))
  return takeBack({ ...state, ended }, Math.min(report.unused, left))
}

function leftAfter(report: LeaseReport, left: number): number {
  return Math.max(0, left - report.sent - report.unused)
}

function takeBack(state: LimiterState, permits: number): LimiterState {
  const capacity = bucketCapacity(fullRate(state.policy), state.policy)
  return { ...state, tokens: Math.min(capacity, state.tokens + permits) }
}

function count(state: LimiterState, report: LeaseReport): LimiterState {
  const { totals, avgLatencyMs: before } = state
  const { latency } = report
  const failures = report.overloaded + report.failed
  const answers = report.ok + report.neutral + report.throttled
  const keep = (1 - LATENCY_WEIGHT) ** latency.count
  const average = before === null ? latency.meanMs : before * keep + latency.meanMs * (1 - keep)
  return {
    ...state,
    streak: report.ok > 0 && report.epoch >= state.epoch ? 0 : state.streak,
    totals: {
      ...totals,
      sent: totals.sent + report.sent,
      throttled: totals.throttled + report.throttled,
    },
    avgLatencyMs: latency.count > 0 ? Math.round(average * 10) / 10 : before,
    failuresInARow: answers > 0 ? report.failuresInARow : state.failuresInARow + failures,
  }
}
