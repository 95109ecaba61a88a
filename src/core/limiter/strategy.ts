/**
 * How a domain's rate is found: one interface, five rules behind it (`DomainPolicy.strategy`).
 *
 * A strategy sees results and refusals of the current epoch only (`refusal.ts`), so a burst of refusals
 * is one event. What it names is the rate wished for; `current-rate.ts` bounds it.
 */
import type { DomainPolicy } from './policy.ts'

/** Results of one report. */
export interface Results {
  /** Requests the server took on and answered, well or badly, but did not refuse. */
  readonly accepted: number
  /** The domain's rate when the lease was granted that they were sent by, and when it began. */
  readonly leaseRps: number
  readonly leaseStartMs: number
}

/** Requests accepted by a lease of an older epoch, some time between these instants. */
export interface LateResults {
  readonly accepted: number
  readonly fromMs: number
  readonly toMs: number
}

export interface Situation {
  readonly policy: DomainPolicy
  /** Of the limiter's own clock. */
  readonly nowMs: number
  /** Answers take longer than usual: no time to go faster. */
  readonly isSlow: boolean
  /** Requests per second the limits allow that the server publishes; null when it names none. */
  readonly ceilingRps: number | null
}

export interface Refused extends Situation {
  /** Events in a row without an accepted request between them, this one included. */
  readonly streak: number
  /** The wait the server asked for; 0 for none. */
  readonly askedMs: number
}

export interface Reopened extends Situation {
  /** Events while it was shut, at least 1. */
  readonly streak: number
  /** From the first refusal to the first accepted request after it. */
  readonly shutMs: number
}

/** `S` is plain JSON. */
export interface Strategy<S> {
  start(situation: Situation): S
  /** Requests per second. */
  rate(state: S, policy: DomainPolicy): number
  /** One word for people. */
  mode(state: S): string
  onResults(state: S, results: Results, situation: Situation): S
  onLate(state: S, late: LateResults): S
  onRefusal(state: S, refused: Refused): S
  /** Called before `onResults` of the report that brings the first accepted request after refusals. */
  onReopened(state: S, reopened: Reopened): S
  /** The server is overloaded though it refuses nothing. @param factor What is to be left of the rate, 0.5 to 1. */
  slowDown(state: S, factor: number, policy: DomainPolicy): S
  /** Whether the next lease may be a whole one at once; else one permit has to succeed first. */
  isSoft(state: S): boolean
}
