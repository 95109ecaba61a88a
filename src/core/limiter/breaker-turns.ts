/**
 * The circuit breaker in the life of a domain; its own states are described in `circuit-breaker.ts`.
 *
 * Every turn of it opens a new epoch, so that what was on its way before says nothing about what comes
 * after: a success from before the failure cannot close it, a failure from before cannot open it again.
 */
import { observe, probeResults, toHalfOpen, type Breaker } from './circuit-breaker.ts'
import { emptyWindow, windowTotals } from './error-window.ts'
import type { LimiterState } from './limiter-state.ts'
import type { LeaseReport } from './protocol.ts'
import { acceptedOf, failedOf } from './report-sums.ts'

/** Takes in how probes ended, when they were probes. */
export function readProbes(state: LimiterState, report: LeaseReport, random: number): LimiterState {
  const { breaker, clockMs, policy } = state
  if (breaker.state !== 'half_open') return state
  const ended = {
    // Any answer shows that the server is back, be it 404.
    ok: acceptedOf(report),
    failed: failedOf(report),
    neutral: report.throttled,
    cancelled: report.cancelled,
    unused: report.unused,
  }
  // Nothing is spared by asking ever more rarely where no connection stands: it is used soon after it is back.
  const asked = report.overloaded === 0 ? { ...breaker, opens: 0 } : breaker
  const next = probeResults(asked, breaker.generation, ended, clockMs, policy, random)
  return turned(state, next)
}

/** Opens the breaker when there were too many failures, in a row or altogether. */
export function observeFailures(
  state: LimiterState,
  report: LeaseReport,
  random: number,
): LimiterState {
  const failures = failedOf(report)
  const answers = acceptedOf(report) + report.throttled
  const inARow = answers > 0 ? report.failuresInARow : state.failuresInARow + failures
  const counted = { ...state, failuresInARow: inARow }
  if (failures === 0 || state.breaker.state !== 'closed') return counted
  const { window, clockMs, policy, breaker } = state
  const totals = windowTotals(window, clockMs, policy)
  return turned(counted, observe(breaker, totals, inARow, clockMs, policy, random))
}

/** An open breaker whose time is over lets probes through. */
export function halfOpenWhenDue(state: LimiterState): LimiterState {
  return turned(state, toHalfOpen(state.breaker, state.clockMs))
}

function turned(state: LimiterState, breaker: Breaker): LimiterState {
  if (breaker.state === state.breaker.state) return { ...state, breaker }
  const next = { ...state, breaker, epoch: state.epoch + 1 }
  return breaker.state === 'closed'
    ? { ...next, resumedMs: state.clockMs, failuresInARow: 0, window: emptyWindow() }
    : next
}
