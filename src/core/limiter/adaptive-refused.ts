/**
 * What `adaptive` learns from refusals.
 *
 *   refused ──┬─ the first of all ─────────▶ back to what held; NARROW
 *             ├─ soon after the last ─┬─ as much accepted as asked for, or too little to tell ─▶ goes on
 *             │                       └─ much less accepted, or once more ─▶ the limit fell: much slower; NARROW
 *             └─ the limit is measured ─┬─ SEARCH, NARROW ─▶ HOLD it, if the server saves up; else halve the bracket
 *                                       ├─ HOLD ───────────▶ HOLD, a little slower
 *                                       └─ PROBE ──────────▶ HOLD a little more than held before; NARROW after real gains
 *
 * Requests that follow a refusal without an accepted one between them are the same event. A server that
 * stays shut for long without saying so counts in windows; one that opens when it said it would may do so:
 * then what fitted between two such openings is its limit. A wait that was not enough was about something
 * else (`maxlag`), and measures nothing.
 */
import { CLOSED, hold, MARGIN, type Adaptive } from './adaptive-state.ts'
import { isStrict, lastMeasuredRps, markEvent, measuredRps, type Measure } from './limit-measure.ts'
import { FIRST_SPACING_MS, longerSpacing } from './probe-plan.ts'
import type { Refused, Reopened } from './strategy.ts'
import { newTrial } from './trial.ts'

/** Two measurements this close are one. */
const AGREES = 2 * MARGIN
/** An event measures the limit when so many requests were accepted since the last, over so many slots. */
const MEASURED_COUNT = 8
const MEASURED_SLOTS = 2
const EARLY_COUNT = 4
/** Left of the rate when it is refused again at once; and when what was accepted says so. */
const EARLY_CUT = 0.7
const EARLY_CUT_MEASURED = 0.5
/** A probe that fails at a rate so much higher leaves the server something to make up for. */
const COARSE = 1.1
/** Lost at most by one refusal after it has held: if the limit has really fallen, the next comes at once. */
const OVERRUN_CUT = 0.98
/** It has come. */
const OVERRUN_CUT_SOON = 0.92
const SOON_MS = 10_000
/** Added after a probe that failed, to what is held. */
const CREEP = 0.02
/** Left of what it was seen to save up, after a probe that did not find as much: it may not have been full. */
const BURST_KEPT = 0.97
/** What a server saves up at least that measures alike whatever rate it is asked at. */
const SAVES_UP_MS = 1_000
/** Shut longer than this many slots, the server counts in windows. */
const WINDOW_SLOTS = 3
/** No shorter cycle would be seen for hours after a longer one; and a clock may have jumped. */
const LONGEST_WINDOW_MS = 1_800_000
/** Least wait between two probes of a window: each is refused again and again until the window ends. */
const WINDOW_SPACING_MS = 240_000
/** Falls that follow each other sooner are one. */
const SAME_FALL_MS = 60_000

export function onRefusal(state: Adaptive, refused: Refused): Adaptive {
  const { nowMs, policy, streak, askedMs } = refused
  const next: Adaptive = { ...state, isSoft: false, refusedMs: nowMs, askedMs }
  if (streak > 1) return next
  const { eventMs } = state.measure
  const fresh: Adaptive = { ...next, trial: newTrial }
  if (eventMs === null) {
    return firstRefusal(
      { ...fresh, measure: markEvent(burstOf(state, nowMs), nowMs) },
      refused.ceilingRps,
    )
  }
  if (isEarly(state.measure, nowMs, policy.slotMs)) return early(fresh, state.refusedMs, nowMs)
  const measured = measuredRps(state.measure, nowMs)
  const marked: Adaptive = {
    ...fresh,
    measure: markEvent(burstOf(state, nowMs), nowMs),
  }
  switch (state.mode) {
    case 'probe':
      return failedProbe(marked, measured, nowMs)
    case 'hold':
      return overrun(marked, measured, nowMs)
    case 'search':
    case 'narrow':
    default:
      return closer(marked, measured, lastMeasuredRps(state.measure), nowMs)
  }
}

/** Too little was accepted since the last event to measure anything. */
function isEarly({ eventMs, accepted }: Measure, nowMs: number, slotMs: number): boolean {
  return nowMs - (eventMs ?? nowMs) < MEASURED_SLOTS * slotMs || accepted < MEASURED_COUNT
}

/** What got through since the rate was raised, beyond what had held before, had been saved up. */
function burstOf({ mode, measure, trial, lowRps, heldRps, rps }: Adaptive, nowMs: number): Measure {
  const isFirstStep = mode === 'search' || (mode === 'probe' && lowRps === heldRps)
  if (!isFirstStep || lowRps === null || lowRps >= rps) return measure
  const forMs = trial.sinceMs === null ? 0 : nowMs - trial.sinceMs
  const savedUpMs = (trial.accepted * 1000) / lowRps - forMs
  // The rate before may have used it up already.
  if (mode === 'search' && savedUpMs < SAVES_UP_MS) return measure
  return { ...measure, burstMs: Math.max(0, savedUpMs, BURST_KEPT * (measure.burstMs ?? 0)) }
}

/** Refused below what it publishes, a server got requests that clumped: that much less would be too slow. */
function firstRefusal(state: Adaptive, ceilingRps: number | null): Adaptive {
  const { rps, lowRps } = state
  const cut = rps <= (ceilingRps ?? 0) ? OVERRUN_CUT_SOON : EARLY_CUT
  const lower = lowRps !== null && lowRps < rps ? lowRps : cut * rps
  return { ...state, mode: 'narrow', highRps: rps, lowRps: null, rps: (1 - MARGIN) * lower }
}

/**
 * Refused again at once: the limit is lower, or a strict server got two requests together. So the first time
 * it takes what was accepted meanwhile to believe it; and after a probe that failed not even that is enough, as a
 * server that counts in windows has yet to make up for it. The mark stays, so that the next event measures
 * better, and so does the bracket's upper end: it was a real trial.
 */
function early(state: Adaptive, beforeMs: number, nowMs: number): Adaptive {
  const { mode, rps, highRps, measure } = state
  const measured = activeRps(measure, nowMs)
  const isFirst = beforeMs <= (measure.eventMs ?? 0)
  const isAftermath = mode === 'hold' && (highRps ?? 0) > COARSE * rps
  const isChance = measured === null || isAftermath ? isFirst : measured > EARLY_CUT * rps
  if (isChance) return { ...state, rps: (1 - MARGIN) * rps }
  const lowest = measured === null ? EARLY_CUT : EARLY_CUT_MEASURED
  const next: Adaptive = {
    ...state,
    mode: 'narrow',
    highRps: Math.max(rps, highRps ?? 0),
    lowRps: null,
    isSettled: false,
    rps: (1 - MARGIN) * Math.max(lowest * rps, Math.min(rps, measured ?? 0)),
  }
  return mode === 'narrow' || mode === 'search' ? next : rememberFormer(next, rps, nowMs)
}

/** Of several falls in a row, the rate before the first. */
function rememberFormer(state: Adaptive, rps: number, nowMs: number): Adaptive {
  const { former } = state
  const isSameFall = former !== null && nowMs - former.atMs < SAME_FALL_MS
  const before = isSameFall ? Math.max(former.rps, rps) : rps
  return {
    ...state,
    former: { rps: before, atMs: nowMs, isNext: true },
    spacingMs: FIRST_SPACING_MS,
  }
}

/** What was accepted since the last event, silence left out; null when that is too little to tell. */
function activeRps({ eventMs, resumedMs, accepted }: Measure, nowMs: number): number | null {
  if (accepted < EARLY_COUNT || eventMs === null) return null
  return (accepted * 1000) / Math.max(1, nowMs - Math.max(eventMs, resumedMs ?? 0))
}

/**
 * The bracket as this event measured it, and what is left of the one before. Of a server that saves up
 * only a measurement at rates about its limit is exact, since below it a bucket may have been full: so it is
 * measured again a little above, until two agree.
 */
function closer(state: Adaptive, measured: number, prior: number, nowMs: number): Adaptive {
  const highRps = state.rps
  const before = state.lowRps ?? 0
  const lowRps = Math.min(highRps, before < highRps ? Math.max(before, measured) : measured)
  const { measure } = state
  const next: Adaptive = { ...state, mode: 'narrow', highRps, lowRps, isSoft: true }
  if (highRps <= lowRps * CLOSED) {
    const limit = isStrict(measure) ? Math.sqrt(lowRps * highRps) : lowRps
    return hold({ ...next, isSettled: true, rps: (1 - MARGIN) * limit }, nowMs)
  }
  if (Math.abs(measured - prior) < AGREES * measured) {
    const burstMs = Math.max(SAVES_UP_MS, measure.burstMs ?? 0)
    return hold({ ...next, measure: { ...measure, burstMs }, rps: (1 - MARGIN) * lowRps }, nowMs)
  }
  return isStrict(measure)
    ? { ...next, rps: Math.sqrt(lowRps * highRps), isSoft: false }
    : { ...next, rps: lowRps * CLOSED }
}

/** Where a window was used up before its end, only its next opening measures. */
function overrun(state: Adaptive, measured: number, nowMs: number): Adaptive {
  const { rps: highRps, windowMs, measure } = state
  const limit = windowMs > 0 ? 0 : (1 - MARGIN) * Math.min(highRps, measured)
  const sinceMs = nowMs - (measure.before?.fromMs ?? 0)
  const cut = sinceMs < SOON_MS ? OVERRUN_CUT_SOON : OVERRUN_CUT
  const rps = Math.max(limit, cut * highRps)
  return hold({ ...state, rps, highRps, toppedRps: highRps, isSettled: true, isSoft: true }, nowMs)
}

/**
 * Back to what held. The first time that says little about what lies between the two rates, so it is
 * narrowed once; later only what was measured since the last event can raise the rate.
 */
function failedProbe(state: Adaptive, measured: number, nowMs: number): Adaptive {
  const { rps, lowRps, heldRps, windowMs, measure } = state
  const former = state.former && { ...state.former, isNext: !state.former.isNext }
  const next: Adaptive = { ...state, highRps: rps, former, isSoft: true }
  const gained = lowRps !== null && lowRps < rps && lowRps > heldRps * 1.1
  if (gained) {
    const spacingMs = FIRST_SPACING_MS
    return {
      ...next,
      mode: 'narrow',
      lowRps: heldRps,
      rps: lowRps,
      spacingMs,
      isSoft: false,
      isSettled: false,
    }
  }
  const held = Math.max(
    heldRps,
    isStrict(measure) && lowRps !== null && lowRps < rps ? (1 - MARGIN) * lowRps : 0,
  )
  const known = windowMs > 0 ? held : Math.max(held, (1 - MARGIN) * Math.min(rps, measured))
  if (!state.isSettled && windowMs === 0 && known * CLOSED < rps) {
    return { ...next, mode: 'narrow', isSettled: true, lowRps: known, rps: known * CLOSED }
  }
  const spacingMs = longerSpacing(state.spacingMs, state)
  return hold({ ...next, rps: crept(state, known), spacingMs }, nowMs)
}

/**
 * A probe tells that a limit is lower than a fifth above, not that it is no higher than what is held. So a server that
 * saves up is asked a little more after each probe that failed, until that was too much once.
 */
function crept({ measure, windowMs, toppedRps }: Adaptive, rps: number): number {
  if (windowMs > 0 || isStrict(measure)) return rps
  return Math.max(rps, Math.min(rps * (1 + CREEP), (1 - MARGIN) * (toppedRps ?? Infinity)))
}

/**
 * When it reopened is known of a server that had said so; of another only that it was between the last
 * refusal and now. There the shortest cycle is taken, as too high a rate is measured again at the next
 * window's end, and better, but too low a one is not. A longer cycle than a window was not used up: then
 * what held is better.
 */
export function onReopened(state: Adaptive, reopened: Reopened): Adaptive {
  const { nowMs, shutMs, streak, policy } = reopened
  const isAsSaid = state.askedMs > 0 && streak === 1
  const next: Adaptive = {
    ...state,
    openedMs: nowMs,
    sinceOpened: 0,
    openedAsSaid: isAsSaid,
    streak,
    trial: newTrial,
  }
  const isLong = shutMs > WINDOW_SLOTS * policy.slotMs
  if (state.askedMs > 0 && !(isAsSaid && state.openedAsSaid && isLong)) return next
  if (!isLong && state.windowMs === 0) return next
  // Refused again before anything fitted in: shut by chance, or by what came before.
  if (state.sinceOpened < MEASURED_COUNT) return next
  const cycleMs = Math.max(1, (isAsSaid ? nowMs : state.refusedMs) - state.openedMs)
  // Half a window has not been used up by what may be sent in it: it was refused for another reason.
  if (cycleMs > LONGEST_WINDOW_MS || cycleMs < state.windowMs / 2) return next
  const isWhole = state.windowMs === 0 || cycleMs < 1.5 * state.windowMs
  const windowMs = isWhole ? Math.max(state.windowMs, cycleMs) : state.windowMs
  const cycleRps = (state.sinceOpened * 1000) / Math.max(cycleMs, windowMs)
  const former = state.highRps ?? state.rps
  const held = (isAsSaid ? 1 : OVERRUN_CUT) * state.rps
  const limit = isWhole ? Math.min(former, cycleRps) : Math.max(cycleRps, held)
  // Both ends of a cycle nobody had announced are known to a second or two, and what is left of a window at its end is lost.
  const part = isAsSaid ? 1 : 1 - MARGIN
  const spacingMs = Math.max(state.spacingMs, WINDOW_SPACING_MS)
  const measure = { ...state.measure, before: null }
  return hold({ ...next, measure, rps: part * limit, windowMs, spacingMs }, nowMs)
}
