/**
 * The default strategy: search the server's limit, hold just below it, probe rarely
 * (research/limiter.md §3.4).
 *
 *   SEARCH ─ refused ─▶ NARROW ─ limit measured, or bracket closed ─▶ HOLD ◀──────────┐
 *     │ ▲ doubles           ▲  halves the bracket                       │ ▲            │
 *     └─┘                   │                         rarely, a step up │ │ refused:   │ held: bigger
 *                           │                                           ▼ │ back       │ steps
 *                           └──── refused after real gains ─────────── PROBE ──────────┘
 *
 * SEARCH begins at nine tenths of a limit the server publishes, where it does. What refusals do is in
 * `adaptive-refused.ts`, what is measured between them in `limit-measure.ts`, when and how far a probe goes
 * in `probe-plan.ts`. After a limit has fallen, every second probe tries the former one,
 * and so does one that has gained.
 */
import { onRefusal, onReopened } from './adaptive-refused.ts'
import { CLOSED, hold, MARGIN, type Adaptive } from './adaptive-state.ts'
import {
  countAccepted,
  countLate,
  isStrict,
  lastMeasuredRps,
  leastRps,
  newMeasure,
  partBetween,
} from './limit-measure.ts'
import type { DomainPolicy } from './policy.ts'
import { firstStep, nextStep, probeNeed, START_SPACING_MS } from './probe-plan.ts'
import type { LateResults, Results, Situation, Strategy } from './strategy.ts'
import { addToTrial, judgeTrial, newTrial } from './trial.ts'

/** To begin with, of a limit the server publishes. */
const PUBLISHED_PART = 0.9
/** A former rate is tried again for so long. */
const FORMER_FOR_MS = 600_000

export const adaptive: Strategy<Adaptive> = {
  start: ({ policy, nowMs, ceilingRps }) => ({
    mode: 'search',
    rps: ceilingRps === null ? policy.initialRps : PUBLISHED_PART * ceilingRps,
    lowRps: null,
    highRps: null,
    former: null,
    measure: newMeasure,
    openedMs: nowMs,
    sinceOpened: 0,
    openedAsSaid: false,
    trial: newTrial,
    isSettled: false,
    refusedMs: 0,
    askedMs: 0,
    streak: 0,
    windowMs: 0,
    nextProbeMs: 0,
    spacingMs: START_SPACING_MS,
    heldRps: policy.initialRps,
    isSoft: false,
  }),
  rate: (state) => state.rps,
  mode: (state) => state.mode,
  isSoft: (state) => state.isSoft,
  onResults,
  onLate,
  onRefusal,
  slowDown: (state, factor) => ({
    ...state,
    mode: 'hold',
    measure: { ...state.measure, before: null },
    rps: state.rps * factor,
    trial: newTrial,
  }),
  onReopened,
}

function onResults(before: Adaptive, results: Results, situation: Situation): Adaptive {
  const state: Adaptive = {
    ...before,
    measure: countAccepted(before.measure, results),
    sinceOpened: before.sinceOpened + results.accepted,
    trial: addToTrial(before.trial, before.rps, results),
  }
  if (situation.isSlow) return { ...state, trial: newTrial }
  const { nowMs, policy, ceilingRps } = situation
  const published = PUBLISHED_PART * Math.min(policy.maxRps, ceilingRps ?? 0)
  if (state.mode === 'search' && state.rps < published) return raise(state, published, situation)
  const verdict = judgeTrial(state.trial, state.rps, needOf(state, policy), nowMs)
  if (verdict === 'open') return state
  if (verdict === 'unused') return { ...state, trial: newTrial }
  switch (state.mode) {
    case 'search':
      return raise({ ...state, lowRps: state.rps }, state.rps * 2, situation)
    case 'narrow':
      return narrow(state, situation)
    case 'probe':
      return isProved(state, nowMs)
        ? probe({ ...state, lowRps: state.rps }, nextStep(state.rps, state.lowRps), situation)
        : state
    case 'hold':
    default: {
      if (nowMs < state.nextProbeMs) return { ...state, trial: newTrial }
      const stepUp = firstStep(state.rps, state.measure, policy)
      return probe({ ...state, lowRps: state.rps, heldRps: state.rps }, stepUp, situation)
    }
  }
}

function needOf(state: Adaptive, policy: DomainPolicy) {
  const { mode, rps, lowRps, windowMs, measure } = state
  switch (mode) {
    case 'search':
      return { forMs: policy.slotMs, count: 4 }
    case 'probe':
      return probeNeed(rps, lowRps ?? rps, measure, windowMs, policy)
    case 'narrow':
    case 'hold':
    default:
      return { forMs: 2 * policy.slotMs, count: 10 }
  }
}

/** Tries a higher rate, or holds where nothing higher is allowed. */
function raise(state: Adaptive, rps: number, { policy, ceilingRps, nowMs }: Situation): Adaptive {
  const most = Math.min(policy.maxRps, ceilingRps ?? Infinity)
  const next = { ...state, trial: newTrial, rps: Math.min(rps, most) }
  return next.rps > state.rps ? next : hold(next, nowMs)
}

/** It held; but what a bucket had saved up may have helped, so only what was accepted is a lower bound. */
function narrow(state: Adaptive, situation: Situation): Adaptive {
  const { rps, highRps, measure } = state
  if (highRps === null) return raise({ ...state, mode: 'search' }, rps * 2, situation)
  const lowRps = Math.max(state.lowRps ?? 0, leastRps(measure, situation.nowMs))
  const next = { ...state, lowRps }
  // Closed without a measurement: the refusals above may have had another reason, so on it goes.
  if (highRps <= Math.max(rps, lowRps) * CLOSED) {
    const held = hold({ ...next, rps: (1 - MARGIN) * rps }, situation.nowMs)
    return { ...held, nextProbeMs: situation.nowMs }
  }
  const isMeasured = state.lowRps !== null && !isStrict(measure)
  return raise(next, isMeasured ? rps * CLOSED : Math.sqrt(rps * highRps), situation)
}

/**
 * More was accepted since the last event than the rate that held would have brought: what a bucket saved
 * up meanwhile cannot explain that. A strict server saves up nothing that could.
 */
function isProved({ measure, heldRps }: Adaptive, nowMs: number): boolean {
  return isStrict(measure) || leastRps(measure, nowMs) >= heldRps
}

function probe(state: Adaptive, stepUp: number, situation: Situation): Adaptive {
  const { rps, heldRps, former } = state
  const next: Adaptive = { ...state, mode: 'probe' }
  const isRemembered = former !== null && situation.nowMs - former.atMs < FORMER_FOR_MS
  if (isRemembered && (former.isNext || rps > heldRps) && rps < 0.9 * former.rps) {
    return raise(next, (1 - MARGIN) * former.rps, situation)
  }
  return raise(next, rps * (1 + stepUp), situation)
}

/** What was sent after the last event counts; what was before makes its measurement better. */
function onLate(state: Adaptive, late: LateResults): Adaptive {
  const measure = countLate(state.measure, late)
  const sinceOpened =
    state.sinceOpened + late.accepted * partBetween(late, state.openedMs, late.toMs)
  const next: Adaptive = { ...state, measure, sinceOpened }
  if (state.mode !== 'hold' || measure.before === null) return next
  const measured = (1 - MARGIN) * Math.min(state.highRps ?? 0, lastMeasuredRps(measure))
  return { ...next, rps: Math.max(state.rps, measured) }
}
