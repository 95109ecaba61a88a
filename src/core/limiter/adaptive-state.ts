/** What the strategy `adaptive` has learned, and the step all its parts take: to hold a rate. */
import type { Measure } from './limit-measure.ts'
import { probeAfterMs } from './probe-plan.ts'
import { newTrial, type Trial } from './trial.ts'

export interface Adaptive {
  readonly mode: 'search' | 'narrow' | 'hold' | 'probe'
  readonly rps: number
  /** Highest rate that held, lowest that was refused: the bracket of `narrow`. */
  readonly lowRps: number | null
  readonly highRps: number | null
  /** Before the limit fell; null when it never did, or once that is long ago. */
  readonly former: Former | null
  readonly measure: Measure
  /** The server's last reopening (or the start), and what was accepted since. */
  readonly openedMs: number
  readonly sinceOpened: number
  /** It reopened when it had said it would. */
  readonly openedAsSaid: boolean
  readonly trial: Trial
  /** A rate just above the present one was refused, so there is no more to be found. */
  readonly isSettled: boolean
  /** A rate that was held and refused, as far as one was. */
  readonly toppedRps?: number
  /** The last refusal of all, and the wait it asked for; 0 for none. */
  readonly refusedMs: number
  readonly askedMs: number
  /** Refusals of the last event. */
  readonly streak: number
  /** The server's window, as far as is known; 0 for one that counts in other ways. */
  readonly windowMs: number
  readonly nextProbeMs: number
  readonly spacingMs: number
  /** Rate to come back to when a probe fails. */
  readonly heldRps: number
  readonly isSoft: boolean
}

interface Former {
  readonly rps: number
  /** When it fell. */
  readonly atMs: number
  /** The next probe tries it. */
  readonly isNext: boolean
}

/** Kept below a measured limit. */
export const MARGIN = 0.01
/** A bracket this narrow is as good as closed. */
export const CLOSED = 1 + 4 * MARGIN
export function hold(state: Adaptive, nowMs: number): Adaptive {
  return {
    ...state,
    mode: 'hold',
    trial: newTrial,
    nextProbeMs: nowMs + probeAfterMs(state.rps, state.spacingMs, state),
  }
}
