/**
 * What a server accepts per second, measured between two events (refusals with nothing in hand).
 *
 *   event ── silence ── requests accepted, at one rate or several ── next event
 *
 * At either end the server had nothing left to give, so what it accepted in between is what it took in
 * between: its limit, times the time. Silence after the event counts only as far as the server can save it up:
 * a bucket that was full again before anybody asked has lost the rest. Never more than the limit, but for
 * one request.
 */
import type { LateResults, Results } from './strategy.ts'

export interface Measure {
  /** The last event; null before the first. */
  readonly eventMs: number | null
  readonly accepted: number
  /** Where the first lease began that was granted after the event; null before it is known. */
  readonly resumedMs: number | null
  /** The measurement the last event ended, since reports of it may still come. */
  readonly before: Interval | null
  /** What the server was seen to save up, as the time in which it accepts as many; null before that. */
  readonly burstMs: number | null
}

interface Interval {
  readonly fromMs: number
  readonly toMs: number
  readonly lostMs: number
  readonly accepted: number
}

/** Most servers save up a second or more. */
export const UNKNOWN_BURST_MS = 1_000
/** One that saves up less is strict: requests that clump are enough to make it refuse. */
const STRICT_MS = 500

export function isStrict({ burstMs }: Measure): boolean {
  return (burstMs ?? 0) < STRICT_MS
}

export const newMeasure: Measure = {
  eventMs: null,
  accepted: 0,
  resumedMs: null,
  before: null,
  burstMs: null,
}

export function countAccepted(
  measure: Measure,
  { accepted, leaseRps, leaseStartMs }: Results,
): Measure {
  const { eventMs, resumedMs } = measure
  const isFirst = eventMs !== null && resumedMs === null && leaseRps > 0
  return {
    ...measure,
    accepted: measure.accepted + accepted,
    resumedMs: isFirst ? Math.max(eventMs, leaseStartMs) : resumedMs,
  }
}

/** Those sent before the last event belong to the measurement before it; as if sent evenly. */
export function countLate(measure: Measure, late: LateResults): Measure {
  const { eventMs, before } = measure
  if (eventMs === null) return measure
  const accepted = measure.accepted + late.accepted * partBetween(late, eventMs, late.toMs)
  if (before === null) return { ...measure, accepted }
  const missed = late.accepted * partBetween(late, before.fromMs, eventMs)
  return { ...measure, accepted, before: { ...before, accepted: before.accepted + missed } }
}

/** Part of a lease between two instants. */
export function partBetween(lease: LateResults, fromMs: number, toMs: number): number {
  const lengthMs = lease.toMs - lease.fromMs
  const insideMs = Math.min(lease.toMs, toMs) - Math.max(lease.fromMs, fromMs)
  return lengthMs > 0 ? Math.min(1, Math.max(0, insideMs / lengthMs)) : 0
}

/** An event: what was accepted until now is measured, and counting begins anew. */
export function markEvent(measure: Measure, nowMs: number): Measure {
  const { eventMs, accepted } = measure
  const before =
    eventMs === null
      ? null
      : { fromMs: eventMs, toMs: nowMs, lostMs: lostMs(measure, nowMs), accepted }
  return { ...measure, eventMs: nowMs, accepted: 0, resumedMs: null, before }
}

/** Requests per second since the last event; 0 before the first. */
export function measuredRps(measure: Measure, nowMs: number): number {
  const { eventMs, accepted } = measure
  if (eventMs === null) return 0
  return (accepted * 1000) / Math.max(1, nowMs - eventMs - lostMs(measure, nowMs))
}

/** As many were accepted at least, whatever was saved up; 0 before the first event. */
export function leastRps({ eventMs, accepted }: Measure, nowMs: number): number {
  return eventMs === null ? 0 : (accepted * 1000) / Math.max(1, nowMs - eventMs)
}

/** The measurement the last event ended, with what was reported since; 0 when there was none. */
export function lastMeasuredRps({ before }: Measure): number {
  if (before === null) return 0
  const { fromMs, toMs, lostMs: lost, accepted } = before
  return (accepted * 1000) / Math.max(1, toMs - fromMs - lost)
}

/** Silence the server could not save up. */
function lostMs({ eventMs, resumedMs, burstMs }: Measure, nowMs: number): number {
  if (eventMs === null || resumedMs === null) return 0
  return Math.max(0, Math.min(resumedMs, nowMs) - eventMs - (burstMs ?? UNKNOWN_BURST_MS))
}
