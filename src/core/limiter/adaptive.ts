/**
 * The default strategy: search the server's limit, hold just below it, probe rarely
 * (research/limiter.md §3.4).
 *
 *   SEARCH ─ refused ─▶ NARROW ─ bracket closed, or limit measured ─▶ HOLD ◀──────────┐
 *     │ ▲ doubles           ▲  halves the bracket                       │ ▲            │
 *     └─┘                   │                         rarely, a step up │ │ refused:   │ held: bigger
 *                           │                                           ▼ │ back       │ steps
 *                           └──── refused after real gains ─────────── PROBE ──────────┘
 *
 * One number makes it quick: between two refusals the server's credit goes from empty to empty, so what
 * it accepted in between, divided by the time, is its limit, for buckets and windows alike. If a bucket
 * overflowed in between, the number is too small, which is safe.
 */
import type { DomainPolicy } from './policy.ts'
import type { LateResults, Refused, Reopened, Results, Situation, Strategy } from './strategy.ts'
import { addToTrial, judgeTrial, newTrial, type Trial } from './trial.ts'

export interface Adaptive {
  readonly mode: 'search' | 'narrow' | 'hold' | 'probe'
  readonly rps: number
  /** Highest rate that held, lowest that was refused: the bracket of `narrow`. */
  readonly lowRps: number | null
  readonly highRps: number | null
  /** Rate before the limit fell, and when. */
  readonly formerRps: number | null
  readonly formerMs: number
  /** Last event, and what was accepted since. */
  readonly markMs: number | null
  readonly sinceMark: number
  /** The server's last reopening (or the start), and what was accepted since. */
  readonly openedMs: number
  readonly sinceOpened: number
  readonly trial: Trial
  /** The last refusal of all. */
  readonly refusedMs: number
  /** The server's window, as far as is known; 0 for one that counts in other ways. */
  readonly windowMs: number
  readonly nextProbeMs: number
  readonly spacingMs: number
  readonly stepUp: number
  /** Rate to come back to when a probe fails. */
  readonly heldRps: number
  readonly isSoft: boolean
}

/** Kept below a measured limit. */
const MARGIN = 0.01
/** A bracket this narrow is as good as closed. */
const CLOSED = 1 + 4 * MARGIN
/** An event measures the limit when so many requests were accepted since the last, over so many slots. */
const MEASURED_COUNT = 8
const MEASURED_SLOTS = 2
const EARLY_COUNT = 4
/** Left of the rate when it is refused again at once. */
const EARLY_CUT = 0.7
/** Lost at most by one refusal after it has held: if the limit has really fallen, the next comes at once. */
const OVERRUN_CUT = 0.98
/** Shut longer than this many slots, the server counts in windows. */
const WINDOW_SLOTS = 3
/** From one probe to the next at first, and once many have failed. */
const FIRST_SPACING_MS = 10_000
const SPACING_GROWTH = 3
const LONG_SPACING_MS = 60_000
const LONGEST_SPACING_MS = 900_000
/** A failed probe costs one or two refusals: so many requests later the next is worth them. */
const REFUSED_ONCE_IN = 3_000
/** Accepted requests between two probes at least. */
const REQUESTS_PER_PROBE = 100
const FIRST_STEP = 0.02
const LARGEST_STEP = 0.5
/** A former rate is tried again for so long. */
const FORMER_FOR_MS = 600_000

export const adaptive: Strategy<Adaptive> = {
  start: ({ policy, nowMs, ceilingRps }) => ({
    mode: 'search',
    rps: ceilingRps === null ? policy.initialRps : 0.9 * ceilingRps,
    lowRps: null,
    highRps: null,
    formerRps: null,
    formerMs: 0,
    markMs: null,
    sinceMark: 0,
    openedMs: nowMs,
    sinceOpened: 0,
    trial: newTrial,
    refusedMs: 0,
    windowMs: 0,
    nextProbeMs: 0,
    spacingMs: FIRST_SPACING_MS,
    stepUp: FIRST_STEP,
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
    rps: state.rps * factor,
    trial: newTrial,
  }),
  onReopened,
}

function onResults(before: Adaptive, results: Results, situation: Situation): Adaptive {
  const state: Adaptive = {
    ...before,
    sinceMark: before.sinceMark + results.accepted,
    sinceOpened: before.sinceOpened + results.accepted,
    trial: addToTrial(before.trial, before.rps, results),
  }
  if (situation.isSlow) return { ...state, trial: newTrial }
  const { nowMs, policy } = situation
  const verdict = judgeTrial(state.trial, state.rps, needOf(state, policy), nowMs)
  if (verdict === 'open') return state
  if (verdict === 'unused') return { ...state, trial: newTrial }
  switch (state.mode) {
    case 'search':
      return raise({ ...state, lowRps: state.rps }, state.rps * 2, situation)
    case 'narrow':
      return narrow(state, situation)
    case 'probe': {
      const stepUp = Math.min(LARGEST_STEP, state.stepUp * 2)
      return probe({ ...state, lowRps: state.rps, stepUp }, situation)
    }
    case 'hold':
    default:
      return nowMs >= state.nextProbeMs
        ? probe({ ...state, lowRps: state.rps, heldRps: state.rps }, situation)
        : { ...state, trial: newTrial }
  }
}

function needOf({ mode, windowMs }: Adaptive, { slotMs }: DomainPolicy) {
  switch (mode) {
    case 'search':
      return { forMs: slotMs, count: 4 }
    case 'narrow':
      return { forMs: 2 * slotMs, count: 10 }
    case 'probe':
    case 'hold':
    default:
      return { forMs: Math.max(4 * slotMs, 1.5 * windowMs), count: 12 }
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
  const { rps, highRps } = state
  if (highRps === null) return raise({ ...state, mode: 'search' }, rps * 2, situation)
  const lowRps = Math.max(state.lowRps ?? 0, sinceMarkRps(state, situation.nowMs))
  const next = { ...state, lowRps }
  // Closed without a measurement: the refusals above may have had another reason, so on it goes.
  return highRps <= Math.max(rps, lowRps) * CLOSED
    ? { ...hold(next, situation.nowMs), nextProbeMs: situation.nowMs, heldRps: rps }
    : raise(next, Math.sqrt(rps * highRps), situation)
}

function probe(state: Adaptive, situation: Situation): Adaptive {
  const { nowMs } = situation
  const { rps, formerRps, formerMs } = state
  const next: Adaptive = { ...state, mode: 'probe' }
  const isRemembered = formerRps !== null && nowMs - formerMs < FORMER_FOR_MS
  if (isRemembered && rps < 0.9 * formerRps) return raise(next, (rps + formerRps) / 2, situation)
  return raise(next, rps * (1 + state.stepUp), situation)
}

function hold(state: Adaptive, nowMs: number): Adaptive {
  const leastMs = (REQUESTS_PER_PROBE * 1000) / state.rps
  const mostMs = Math.max(LONG_SPACING_MS, (REFUSED_ONCE_IN * 1000) / state.rps)
  const waitMs = Math.min(LONGEST_SPACING_MS, mostMs, Math.max(state.spacingMs, leastMs))
  return {
    ...state,
    mode: 'hold',
    trial: newTrial,
    nextProbeMs: nowMs + waitMs,
    stepUp: FIRST_STEP,
  }
}

/** The part of it that was sent after the last event, as if sent evenly. */
function onLate(state: Adaptive, { accepted, fromMs, toMs }: LateResults): Adaptive {
  const sinceMs = Math.max(fromMs, state.markMs ?? toMs)
  const part = toMs > fromMs ? Math.max(0, toMs - sinceMs) / (toMs - fromMs) : 0
  return {
    ...state,
    sinceMark: state.sinceMark + part * accepted,
    sinceOpened: state.sinceOpened + part * accepted,
  }
}

function onRefusal(state: Adaptive, refused: Refused): Adaptive {
  const { nowMs, policy, streak } = refused
  if (streak > 1) return { ...state, isSoft: false, refusedMs: nowMs }
  const next: Adaptive = { ...state, trial: newTrial, isSoft: false, refusedMs: nowMs }
  const marked: Adaptive = { ...next, markMs: nowMs, sinceMark: 0 }
  if (state.markMs === null) return firstRefusal(marked)
  const elapsedMs = nowMs - state.markMs
  if (elapsedMs < MEASURED_SLOTS * policy.slotMs || state.sinceMark < MEASURED_COUNT) {
    return early(next, nowMs)
  }
  const measured = sinceMarkRps(state, nowMs)
  switch (state.mode) {
    case 'probe':
      return failedProbe(marked, measured, nowMs)
    case 'hold':
      return overrun(marked, measured, nowMs)
    case 'search':
    case 'narrow':
    default:
      return closer(marked, measured, nowMs)
  }
}

/** Never more than the server's limit: it was empty at the last refusal, as it is now. */
function sinceMarkRps({ markMs, sinceMark }: Adaptive, nowMs: number): number {
  return markMs === null ? 0 : (sinceMark * 1000) / Math.max(1, nowMs - markMs)
}

function sinceOpenedRps({ openedMs, sinceOpened }: Adaptive, nowMs: number): number {
  return (sinceOpened * 1000) / Math.max(1, nowMs - openedMs)
}

function firstRefusal(state: Adaptive): Adaptive {
  const { rps, lowRps } = state
  const lower = lowRps !== null && lowRps < rps ? lowRps : EARLY_CUT * rps
  return { ...state, mode: 'narrow', highRps: rps, lowRps: null, rps: (1 - MARGIN) * lower }
}

/** Refused again at once: the limit is lower. The mark stays, so that the next event measures better. */
function early(state: Adaptive, nowMs: number): Adaptive {
  const measured = state.sinceOpened >= EARLY_COUNT ? sinceOpenedRps(state, nowMs) : 0
  const rps = (1 - MARGIN) * Math.max(EARLY_CUT * state.rps, Math.min(state.rps, measured))
  const next: Adaptive = { ...state, mode: 'narrow', highRps: state.rps, lowRps: null, rps }
  if (state.mode === 'narrow' || state.mode === 'search') return next
  return { ...next, formerRps: state.rps, formerMs: nowMs, spacingMs: FIRST_SPACING_MS }
}

/** The bracket as this event measured it, and what is left of the one before. */
function closer(state: Adaptive, lowest: number, nowMs: number): Adaptive {
  const highRps = state.rps
  const before = state.lowRps ?? 0
  const lowRps = Math.min(highRps, before < highRps ? Math.max(before, lowest) : lowest)
  const next: Adaptive = { ...state, mode: 'narrow', highRps, lowRps, isSoft: true }
  if (highRps <= lowRps * CLOSED) {
    return hold({ ...next, rps: (1 - MARGIN) * Math.sqrt(lowRps * highRps) }, nowMs)
  }
  return { ...next, rps: Math.sqrt(lowRps * highRps), isSoft: false }
}

function overrun(state: Adaptive, measured: number, nowMs: number): Adaptive {
  const limit = (1 - MARGIN) * Math.min(state.rps, measured)
  const rps = Math.max(limit, OVERRUN_CUT * state.rps)
  return hold({ ...state, rps, highRps: state.rps, isSoft: true }, nowMs)
}

function failedProbe(state: Adaptive, measured: number, nowMs: number): Adaptive {
  const { rps, lowRps, heldRps } = state
  const gained = lowRps !== null && lowRps < rps && lowRps > heldRps * 1.1
  if (gained) return { ...state, mode: 'narrow', highRps: rps, lowRps: heldRps, rps: lowRps }
  const spacingMs = Math.min(LONGEST_SPACING_MS, state.spacingMs * SPACING_GROWTH)
  // The first step may be believed when the very next is refused; after more, a bucket may have paid for it.
  const held = state.stepUp <= 2 * FIRST_STEP ? Math.max(heldRps, lowRps ?? 0) : heldRps
  const known = Math.max(held, (1 - MARGIN) * Math.min(rps, measured))
  return hold({ ...state, rps: known, highRps: rps, spacingMs, isSoft: true }, nowMs)
}

/**
 * Shut for long, it counts in windows: what fitted between two reopenings is its limit. When it reopened
 * is only known between the last refusal and now; the shortest cycle is taken, as too high a rate is
 * measured again at the next window's end, and better, but too low a one is not. A longer cycle than a
 * window was not used up: then what held is better.
 */
function onReopened(state: Adaptive, { nowMs, shutMs, policy }: Reopened): Adaptive {
  const isWindow = state.windowMs > 0 || shutMs > WINDOW_SLOTS * policy.slotMs
  const next: Adaptive = { ...state, openedMs: nowMs, sinceOpened: 0, trial: newTrial }
  if (!isWindow) return next
  const cycleMs = Math.max(1, state.refusedMs - state.openedMs)
  const cycleRps = sinceOpenedRps(state, state.refusedMs)
  const isWhole = state.windowMs === 0 || cycleMs < 1.5 * state.windowMs
  const windowMs = isWhole ? Math.max(state.windowMs, cycleMs) : state.windowMs
  const former = state.highRps ?? state.rps
  const limit = isWhole ? Math.min(former, cycleRps) : Math.max(cycleRps, OVERRUN_CUT * state.rps)
  return hold({ ...next, rps: (1 - MARGIN) * limit, windowMs }, nowMs)
}
