/** What brokers say became of their permits: booked on the lease, counted, and taught to the strategy. */
import { observeFailures, readProbes } from './breaker-turns.ts'
import { onLate, onReopened, onResults } from './control.ts'
import { countResults } from './error-window.ts'
import { addOwed } from './deal.ts'
import { addLatency } from './latency.ts'
import { leaseNumber } from './lease-id.ts'
import { endedLease, type LimiterState } from './limiter-state.ts'
import type { LeaseReport } from './protocol.ts'
import { hearLimits } from './published-ceiling.ts'
import { quiet, refuse } from './refusal.ts'
import { acceptedOf, failedOf } from './report-sums.ts'
import { situationOf } from './situation.ts'

/** Weight of what one report says about the average cost. */
const COST_WEIGHT = 0.2

/** The lease of a report, as far as it still matters. */
interface Booked {
  readonly domainRps: number
  readonly startMs: number
  readonly endMs: number
  /** Permits of it nobody has reported yet, before this report. */
  readonly left: number
  /** Cost units each was charged at the grant. */
  readonly permitCost: number
}

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
    leaseId: report.leaseId,
    epoch: report.epoch,
    agoMs: report.throttledAgoMs ?? 0,
    retryAfterMs: report.retryAfterMs ?? null,
  }
  const heard = settled === 'unknown' ? state : learn(settled.state, settled.booked, report, random)
  return report.throttled > 0 ? refuse(heard, refusal, random) : heard
}

/** A lease nobody remembers may have been counted long ago, so only its refusals are heard. */
function settle(
  state: LimiterState,
  report: LeaseReport,
): { readonly state: LimiterState; readonly booked: Booked } | 'repeated' | 'unknown' {
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
    const { domainRps, startMs, endMs, permitCost = 0 } = lease
    const booked = { domainRps, startMs, endMs, left, permitCost }
    return { state: { ...state, workers }, booked }
  }
  const lease = state.ended.find(([other]) => other === number)
  if (lease === undefined) return 'unknown'
  const [ended, sequence, left, domainRps, startMs, lengthMs, permitCost] = lease
  if (report.sequence <= sequence) return 'repeated'
  const endMs = startMs + lengthMs
  const known = { number: ended, sequence: report.sequence, domainRps, startMs, endMs, permitCost }
  const reported = endedLease(known, leftAfter(report, left))
  const others = state.ended.map((other) => (other === lease ? reported : other))
  const booked = { domainRps, startMs, endMs, left, permitCost: permitCost ?? 0 }
  return { state: { ...state, ended: others }, booked }
}

function leftAfter(report: LeaseReport, left: number): number {
  return Math.max(0, left - report.sent - report.unused)
}

function learn(
  before: LimiterState,
  booked: Booked,
  report: LeaseReport,
  random: number,
): LimiterState {
  const counted = count(before, booked, report)
  if (report.epoch !== counted.epoch) return noteLate(counted, booked, report)
  const probed = readProbes(counted, report, random)
  const taught = probed.epoch === counted.epoch ? teach(probed, booked, report) : probed
  return observeFailures(taught, report, random)
}

/** Everything that counts whatever its epoch. */
function count(state: LimiterState, booked: Booked, report: LeaseReport): LimiterState {
  const { totals, clockMs, policy } = state
  const results = {
    ok: acceptedOf(report),
    failed: failedOf(report),
    refused: report.throttled,
  }
  const counted: LimiterState = {
    ...state,
    window: countResults(state.window, results, clockMs, policy),
    latency: addLatency(state.latency, report.latency, clockMs),
    ceiling: hearLimits(state.ceiling, report.published ?? [], clockMs),
    owed: addOwed(state, report),
    totals: {
      ...totals,
      sent: totals.sent + report.sent,
      refused: totals.refused + report.throttled,
      waited: totals.waited + report.waited,
      retries: totals.retries + report.retries,
    },
  }
  return payFor(counted, booked, report)
}

/**
 * Replaces what was charged at the grant, on the average of then, by what it did cost. The average of now would pay
 * back more than was charged: most is granted when requests happen to be cheap.
 */
function payFor(
  state: LimiterState,
  { left, permitCost }: Booked,
  report: LeaseReport,
): LimiterState {
  if (state.policy.costPerSecond === null) return state
  const charged = Math.min(left, report.sent + report.unused) * permitCost
  const perRequest = report.sent > 0 ? report.cost / report.sent : state.averageCost
  const averageCost = state.averageCost + COST_WEIGHT * (perRequest - state.averageCost)
  return {
    ...state,
    budget: Math.min(state.policy.costBurst, state.budget + charged - report.cost),
    // A request dearer than the whole budget is sent when that is full.
    averageCost: Math.min(state.policy.costBurst, averageCost),
  }
}

/**
 * Results of an older epoch were asked for under another rate: they prove nothing (§3.4 E0). But what the
 * server accepted since its last refusal counts for what it can take.
 */
function noteLate(state: LimiterState, booked: Booked, report: LeaseReport): LimiterState {
  const accepted = acceptedOf(report)
  if (accepted === 0) return state
  const toMs = Math.min(state.clockMs, booked.endMs)
  const late = { accepted, fromMs: booked.startMs, toMs }
  return { ...state, control: onLate(state.control, late) }
}

function teach(
  state: LimiterState,
  { domainRps, startMs }: Booked,
  report: LeaseReport,
): LimiterState {
  const accepted = acceptedOf(report)
  if (accepted === 0) return state
  const situation = situationOf(state)
  const isReopening = state.streak > 0
  const reopened = {
    ...situation,
    streak: state.streak,
    shutMs: state.clockMs - state.shutSinceMs,
  }
  const control = isReopening ? onReopened(state.control, reopened) : state.control
  // The one permit that found the server open again says nothing about a rate.
  const triedRps = isReopening ? 0 : domainRps
  return {
    ...(isReopening && state.trickleMs !== null ? quiet(state) : state),
    streak: 0,
    trickleMs: null,
    control: onResults(control, { accepted, leaseRps: triedRps, leaseStartMs: startMs }, situation),
  }
}
