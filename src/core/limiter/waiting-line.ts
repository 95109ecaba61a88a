/** The few callers of a process that wait for a permit of one domain. */
import type { HeldLease } from './held-lease.ts'
import type { Priority } from './protocol.ts'

/** More wait elsewhere: each waiting caller occupies an activity slot. */
const LINE_LENGTH = 8
/** Of this many permits in a row at least one goes to those who wait behind the urgent ones. */
const ONE_OF = 10

/** On whose behalf a caller waits. */
export interface Claimant {
  readonly project: string
  readonly priority: Priority
}

/** Claimants with the same key share what a lease holds for them. */
export function claimKey({ project, priority }: Claimant): string {
  return priority === 'normal' ? project : `${priority} ${project}`
}

export type Place =
  | { readonly kind: 'join' }
  /** The caller at this index makes room: its project has more places than it would be left with. */
  | { readonly kind: 'replace'; readonly index: number }
  | { readonly kind: 'turn_away' }

/**
 * Where a new caller goes; one that somebody waits for at a screen takes the place of one that can wait.
 * @param line The waiting callers, first come first.
 */
export function placeInLine(line: readonly Claimant[], caller: Claimant): Place {
  if (line.length < LINE_LENGTH) return { kind: 'join' }
  const patient = line.flatMap(({ priority }, index) => (priority === 'interactive' ? [] : [index]))
  const last = patient.at(-1)
  // One place stays with those who can wait, for their part of the permits.
  if (caller.priority === 'interactive' && last !== undefined && patient.length > 1) {
    return { kind: 'replace', index: last }
  }
  const keys = line.map(claimKey)
  const places = new Map<string, number>()
  for (const key of keys) places.set(key, (places.get(key) ?? 0) + 1)
  const [largest, most] = [...places].reduce((a, b) => (b[1] > a[1] ? b : a))
  const index = keys.lastIndexOf(largest)
  const isWaitedFor = line[index]?.priority === 'interactive'
  return most > (places.get(claimKey(caller)) ?? 0) + 1 && !isWaitedFor
    ? { kind: 'replace', index }
    : { kind: 'turn_away' }
}

/**
 * Who gets the next permit of a lease: the urgent before the others, then the first caller of the
 * project that has used the smallest part of its share. A project whose share is used
 * up, or that has none, only gets what others leave.
 * @returns An index into the line.
 */
export function nextInLine(line: readonly Claimant[], lease: HeldLease): number {
  const spent = Object.values(lease.used).reduce((sum, used) => sum + used, 0)
  const urgent = line.findIndex(({ priority }) => priority === 'interactive')
  if (urgent >= 0 && spent % ONE_OF < ONE_OF - 1) return urgent
  const usedPart = (claimant: Claimant): number => {
    const key = claimKey(claimant)
    const share = lease.shares.find((other) => other.key === key)?.permits ?? 0
    const part = share === 0 ? Infinity : (lease.used[key] ?? 0) / share
    return part < 1 ? part : Infinity
  }
  const parts = line.map(usedPart)
  return parts.indexOf(Math.min(...parts))
}
