/** Figures of a limiter in words, for tables. */
import type { DomainSnapshot, RefusalReason } from '../../core/limiter/protocol.ts'
import { durationText } from '../../core/work-rate.ts'
import { momentText } from '../moment-text.ts'

const reasons: Readonly<Partial<Record<RefusalReason, string>>> = {
  starting: 'starting',
  breaker_open: 'breaker open',
  retry_after: 'the server asked to wait',
  trickle: 'one at a time after a refusal',
}

/** `3.33/s`, `0.05/s`, `100/s`. */
export function rateText(rps: number): string {
  return `${Number(rps.toPrecision(3))}/s`
}

/** `adaptive: hold`, `fixed`. */
export function modeText({ strategy, mode }: DomainSnapshot): string {
  return mode === strategy ? strategy : `${strategy}: ${mode}`
}

/**
 * Until when nobody may send, and why; empty when somebody may.
 * @param nowMs of the clock on the wall here
 */
export function coolingText(
  { hold, nextEarliest, parkedForMs, pausedBecause }: DomainSnapshot,
  nowMs: number,
): string {
  if (hold === null) return ''
  if (hold === 'paused') return `paused: ${pausedBecause ?? ''}`
  const parked = parkedForMs === null ? '' : ', parked'
  const until = momentText(nowMs + nextEarliest, nowMs)
  return `${until}, in ${durationText(nextEarliest)} (${reasons[hold] ?? hold}${parked})`
}

/** Refused requests of each thousand; empty before the first request. */
export function refusedText({ refusedRequests, totalRequests }: DomainSnapshot): string {
  if (totalRequests === 0) return ''
  return String(Number(((refusedRequests * 1000) / totalRequests).toFixed(1)))
}

/** `12 s ago`; `now` within a second. */
export function ageText(ageMs: number | null): string {
  if (ageMs === null) return 'never asked'
  return ageMs < 1_000 ? 'now' : `${durationText(ageMs)} ago`
}

/** `half-open` */
export function breakerText({ state }: DomainSnapshot): string {
  return state.replace('_', '-')
}
