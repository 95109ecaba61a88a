/**
 * When a held rate is tried a little higher, and how much.
 *
 * When: a limit that has long been the same will probably be for as long again, so each probe that fails
 * makes the wait for the next longer by a part of itself; but no probe is worth more than its cost.
 *
 * How much: a server that saves up lets any rate pass for a while. A step is as large as it has to be for
 * the trial to outlast what it may have saved up, so a probe that held proves its rate.
 */
import { UNKNOWN_BURST_MS, type Measure } from './limit-measure.ts'
import type { DomainPolicy } from './policy.ts'

/** Until the first probe of a limit that is new: it has just been measured. */
export const START_SPACING_MS = 30_000
/** The same after a limit fell, or a probe gained. */
export const FIRST_SPACING_MS = 10_000
const SPACING_GROWTH = 1.5
/** While a limit that fell may come back. */
const FALLEN_GROWTH = 1.3
const DEAR_GROWTH = 2.5
const LONG_SPACING_MS = 90_000
const LONGEST_SPACING_MS = 900_000
/** A failed probe costs one or two refusals: so many requests later the next is worth them. */
const REFUSED_ONCE_IN = 3_000
/** Accepted requests between two probes at least. */
const REQUESTS_PER_PROBE = 100
/** Of the time, at most one part in so many is spent on waits the server asked for because of a probe. */
const WAIT_ONCE_IN = 200

const SMALLEST_STEP = 0.02
const LARGEST_FIRST_STEP = 0.25
const LARGEST_STEP = 1
const TRIAL_SLOTS = 3
const TRIAL_COUNT = 12
const LONGEST_TRIAL_MS = 600_000

export interface LastRefusal {
  /** The wait it asked for, ms; 0 for none. */
  readonly askedMs: number
  /** Refusals in a row. */
  readonly streak: number
  /** Null when the limit never fell, or once that is long ago. */
  readonly former: object | null
}

/** @param spacingMs The wait between the last two probes. */
export function probeAfterMs(
  rps: number,
  spacingMs: number,
  { askedMs, streak }: LastRefusal,
): number {
  const leastMs = (REQUESTS_PER_PROBE * 1000) / rps
  const refusalMs = (REFUSED_ONCE_IN * 1000 * Math.max(1, streak)) / rps
  const mostMs = Math.max(LONG_SPACING_MS, refusalMs, WAIT_ONCE_IN * askedMs)
  return Math.min(LONGEST_SPACING_MS, mostMs, Math.max(spacingMs, leastMs))
}

/** Where a failed probe costs more than one refusal, the next ones are soon rare. */
export function longerSpacing(spacingMs: number, { askedMs, streak, former }: LastRefusal): number {
  const isDear = askedMs > 0 || streak > 1
  const usual = former === null ? SPACING_GROWTH : FALLEN_GROWTH
  return Math.min(LONGEST_SPACING_MS, spacingMs * (isDear ? DEAR_GROWTH : usual))
}

export function firstStep(rps: number, measure: Measure, policy: DomainPolicy): number {
  const step = toOutlast(rps, measure) / ((rps * TRIAL_SLOTS * policy.slotMs) / 1000)
  return Math.min(LARGEST_FIRST_STEP, Math.max(SMALLEST_STEP, step))
}

/** Twice the step that held. */
export function nextStep(rps: number, belowRps: number | null): number {
  return Math.min(LARGEST_STEP, 2 * (rps / (belowRps ?? rps) - 1))
}

/** What a rate has to show before it counts as held, when the one below is known to hold. */
export function probeNeed(
  rps: number,
  heldRps: number,
  measure: Measure,
  windowMs: number,
  { slotMs }: DomainPolicy,
): { readonly forMs: number; readonly count: number } {
  const outlastMs = rps > heldRps ? (toOutlast(heldRps, measure) * 1000) / (rps - heldRps) : 0
  const forMs = Math.max(TRIAL_SLOTS * slotMs, Math.min(LONGEST_TRIAL_MS, outlastMs))
  return { forMs: Math.max(forMs, 1.5 * windowMs), count: TRIAL_COUNT }
}

/** Requests. */
function toOutlast(rps: number, { burstMs }: Measure): number {
  return (1.25 * (burstMs ?? UNKNOWN_BURST_MS) * rps) / 1000 + 2
}
