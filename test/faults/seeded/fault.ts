/** What can go wrong around a match, as the seeded schedules name it. */

/** A process that can die or stand still. */
export type FaultyPart = 'worker' | 'temporal' | 'postgres' | 'origin'

/** How the origin turns requests down; `reset` and `reset_in_body` end the connection instead. */
export type Refusal =
  | { readonly how: 'reset' | 'reset_in_body' }
  | { readonly how: 'status'; readonly status: number; readonly retryAfterS: number | null }

export type Fault =
  /** kill -9. The origin is started again after `awayMs`; whatever the stack owns, by the stack itself. */
  | { readonly kind: 'kill'; readonly part: FaultyPart | 'keeper'; readonly awayMs: number }
  /** SIGSTOP, and SIGCONT after `forMs`. */
  | { readonly kind: 'pause'; readonly part: FaultyPart; readonly forMs: number }
  /** kill -9 of everything at once, running commands included; the origin lives. */
  | { readonly kind: 'power_cut' }
  /** The origin turns the next requests down. */
  | { readonly kind: 'burst'; readonly refusal: Refusal; readonly requests: number }
  /** No space is left where PostgreSQL writes. */
  | { readonly kind: 'disk_full'; readonly forMs: number }
  /** `start-match` twice at once, beside the one that is followed. */
  | { readonly kind: 'start_twice' }
  /** `cancel-match`; after `restMs` the match is started again, by so many commands at once. */
  | { readonly kind: 'cancel'; readonly restMs: number; readonly starts: number }

/** A fault and when it comes. */
export interface PlannedFault {
  /** Part of all questions that have been answered by then, 0 to 1. */
  readonly atShare: number
  /** And so long after that moment, ms. */
  readonly afterMs: number
  readonly fault: Fault
}

/** `kill worker`, `pause postgres`, `429`, `5xx`, `reset`: what is counted together. */
export function faultName(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
    case 'pause':
      return `${fault.kind} ${fault.part}`
    case 'burst':
      if (fault.refusal.how !== 'status') return 'reset'
      return fault.refusal.status === 429 ? '429' : '5xx'
    default:
      return fault.kind.replace('_', ' ')
  }
}

/** One line of a schedule. */
export function faultText({ atShare, afterMs, fault }: PlannedFault): string {
  const { kind, ...details } = fault
  const words = Object.entries(details).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return `at ${(atShare * 100).toFixed(1)} % + ${afterMs} ms: ${[kind, ...words].join(', ')}`
}
