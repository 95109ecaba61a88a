/** From the log of a domain to the numbers of the table. */
import type { Origin } from './origins/origin.ts'
import type { Accepted, DomainLog } from './run-log.ts'

/** A rate counts as reached when the last ten seconds had it, or the last 20 requests of a slow origin. */
const WINDOW_MS = 10_000
const WINDOW_REQUESTS = 20

/** Units the origin could have accepted from one instant to another. */
export function capacity(origin: Origin, fromMs: number, toMs: number): number {
  const stepMs = 1_000
  let units = 0
  for (let ms = fromMs; ms < toMs; ms += stepMs) {
    const lengthMs = Math.min(stepMs, toMs - ms)
    units += (origin.rateAt(ms + lengthMs / 2) * lengthMs) / 1000
  }
  return units
}

export function acceptedUnits(log: DomainLog, fromMs: number, toMs: number): number {
  let units = 0
  for (const { atMs, units: one } of log.accepted) if (atMs >= fromMs && atMs < toMs) units += one
  return units
}

/** What was accepted of what could have been, in percent. */
export function usePct(log: DomainLog, origin: Origin, fromMs: number, toMs: number): number {
  return (100 * acceptedUnits(log, fromMs, toMs)) / capacity(origin, fromMs, toMs)
}

export function countBetween(instants: readonly number[], fromMs: number, toMs: number): number {
  return instants.filter((ms) => ms >= fromMs && ms < toMs).length
}

/**
 * Seconds from an instant until the accepted rate first was such a part of what the origin has then.
 * Only what was accepted after the instant counts.
 * @returns Infinity when it never was.
 */
export function secondsUntilPart(
  log: DomainLog,
  origin: Origin,
  part: number,
  fromMs: number,
): number {
  let first = log.accepted.findIndex(({ atMs }) => atMs >= fromMs)
  if (first < 0) return Infinity
  let units = 0
  for (let last = first; last < log.accepted.length; last += 1) {
    const { atMs, units: one } = at(log.accepted, last)
    units += one
    const rate = origin.rateAt(atMs)
    if (rate <= 0) continue
    const windowMs = Math.max(WINDOW_MS, (WINDOW_REQUESTS * 1000) / rate)
    while (at(log.accepted, first).atMs < atMs - windowMs) {
      units -= at(log.accepted, first).units
      first += 1
    }
    if (units * 1000 >= part * rate * windowMs) return (atMs - fromMs) / 1000
  }
  return Infinity
}

/**
 * Seconds from a change until refusals had ended: until the last one before a pause of `quietMs`.
 * @returns 0 when there was none.
 */
export function secondsUntilQuiet(log: DomainLog, fromMs: number, quietMs: number): number {
  let lastMs = fromMs
  for (const ms of log.refusedMs) {
    if (ms < fromMs) continue
    if (ms - lastMs > quietMs) break
    lastMs = ms
  }
  return (lastMs - fromMs) / 1000
}

/**
 * Jain's fairness index of the worst whole window: 1 when all parts are equal, 1/n when one has all.
 * @param keyOf Whose part it is.
 * @param keys All that take part.
 */
export function worstJain(
  log: DomainLog,
  keyOf: (accepted: Accepted) => string,
  keys: readonly string[],
  window: { readonly fromMs: number; readonly toMs: number; readonly lengthMs: number },
  weightOf: (key: string) => number = () => 1,
): number {
  const { fromMs, toMs, lengthMs } = window
  const windows = Math.floor((toMs - fromMs) / lengthMs)
  const parts = Array.from({ length: windows }, () => new Map(keys.map((key) => [key, 0])))
  for (const accepted of log.accepted) {
    const part = parts[Math.floor((accepted.atMs - fromMs) / lengthMs)]
    const key = keyOf(accepted)
    const sum = accepted.atMs < fromMs ? undefined : part?.get(key)
    if (sum !== undefined) part?.set(key, sum + accepted.units / weightOf(key))
  }
  return Math.min(1, ...parts.map((part) => jain([...part.values()])))
}

function jain(parts: readonly number[]): number {
  const sum = parts.reduce((total, part) => total + part, 0)
  const squares = parts.reduce((total, part) => total + part * part, 0)
  return squares === 0 ? 1 : (sum * sum) / (parts.length * squares)
}

function at(accepted: readonly Accepted[], index: number): Accepted {
  const one = accepted[index]
  if (one === undefined) throw new RangeError(`no accepted request ${index}`)
  return one
}
