/** The few callers of a process that wait for a permit of one domain. */
import type { HeldLease } from './held-lease.ts'

/** More wait elsewhere: each waiting caller occupies an activity slot. */
const LINE_LENGTH = 8

export type Place =
  | { readonly kind: 'join' }
  /** The caller at this index makes room: its project has more places than it would be left with. */
  | { readonly kind: 'replace'; readonly index: number }
  | { readonly kind: 'turn_away' }

/**
 * Where a new caller goes.
 * @param line Projects of the waiting callers, first come first.
 */
export function placeInLine(line: readonly string[], project: string): Place {
  if (line.length < LINE_LENGTH) return { kind: 'join' }
  const places = new Map<string, number>()
  for (const other of line) places.set(other, (places.get(other) ?? 0) + 1)
  const [largest, most] = [...places].reduce((a, b) => (b[1] > a[1] ? b : a))
  return most > (places.get(project) ?? 0) + 1
    ? { kind: 'replace', index: line.lastIndexOf(largest) }
    : { kind: 'turn_away' }
}

/**
 * Who gets the next permit of a lease: the first caller of the project that has used the smallest part
 * of its share. A project whose share is used up, or that has none, only gets what others leave.
 * @returns An index into the line.
 */
export function nextInLine(line: readonly string[], lease: HeldLease): number {
  const usedPart = (project: string): number => {
    const share = lease.shares.find((other) => other.project === project)?.permits ?? 0
    const part = share === 0 ? Infinity : (lease.used[project] ?? 0) / share
    return part < 1 ? part : Infinity
  }
  const parts = line.map(usedPart)
  return parts.indexOf(Math.min(...parts))
}
