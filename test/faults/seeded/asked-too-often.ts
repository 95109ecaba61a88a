/**
 * Whether a question was asked more often than what died explains. Pure.
 *
 * A question may be asked once, and once more for each fault in its window. Its window is from the first time it was
 * asked to the last; a fault is in it when any part of the fault, or of the time in which it is still felt, is. A
 * request that the origin turned down does not count: it has to be asked again, whoever lives.
 */
import type { Ask } from './origin-entry.ts'

/** Something that stopped a process of ours or of the origin. */
export interface Disturbance {
  readonly what: string
  readonly fromMs: number
  /** When it was over, as far as it can be seen from outside. */
  readonly untilMs: number
}

/**
 * An activity whose process is gone is missed after the heartbeat timeout of 10 s, and run again after a wait; one that
 * stood still may go on beside its successor until it is told.
 */
export const FELT_FOR_MS = 20_000

/** @returns a sentence for each question that was asked too often */
export function askedTooOften(
  asks: readonly Ask[],
  disturbances: readonly Disturbance[],
): readonly string[] {
  const times = new Map<string, Pick<Ask, 'atMs' | 'outcome'>[]>()
  for (const { question, atMs, outcome } of asks) {
    if (outcome !== 'refused') {
      times.set(question, [...(times.get(question) ?? []), { atMs, outcome }])
    }
  }
  const faultsIn = (fromMs: number, toMs: number) =>
    disturbances.filter((one) => one.fromMs <= toMs && one.untilMs + FELT_FOR_MS >= fromMs)
  return [...times].flatMap(([question, asked]) => {
    const inOrder = asked.toSorted((a, b) => a.atMs - b.atMs)
    const sorted = inOrder.map(({ atMs }) => atMs)
    const [first = 0, last = 0] = [sorted[0], sorted.at(-1)]
    const explaining = faultsIn(first, last)
    const faults = explaining.length
    const unexplained = sorted.some(
      (atMs, index) => index > 0 && faultsIn(sorted[index - 1] ?? 0, atMs).length === 0,
    )
    if (sorted.length <= 1 + faults && !unexplained) return []
    const story = [
      ...inOrder.map(({ atMs, outcome }) => `${outcome} at ${atMs - first}`),
      ...explaining.map(
        ({ what, fromMs, untilMs }) => `${what} from ${fromMs - first} to ${untilMs - first}`,
      ),
    ].join(', ')
    return [
      `${question} was asked ${sorted.length} times within ${last - first} ms, with ${faults} faults meanwhile (${story})`,
    ]
  })
}
