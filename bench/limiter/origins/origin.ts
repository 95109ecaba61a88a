/** A server as the simulator sees it: what it answers to whom at which instant. */
import type { CallOutcome } from '../../../src/core/limiter/permit.ts'
import type { PublishedLimit } from '../../../src/core/limiter/protocol.ts'
import type { Random } from '../seeded-random.ts'

export interface Origin {
  /** A request has arrived; instants never go back. */
  arrive(nowMs: number): Answer
  /** What it can accept per second at that instant, in the units of its answers. */
  rateAt(nowMs: number): number
}

export interface Answer {
  /** Without the time on the wire. */
  readonly outcome: CallOutcome
  /** From arrival to the end of the answer. */
  readonly serviceMs: number
  /** How much of its capacity it took; 0 for a refusal. */
  readonly units: number
}

/** What an origin tells its clients beyond yes and no. */
export interface OriginSpeech {
  /** Refusals name a wait, in whole seconds. */
  readonly retryAfter: boolean
  /** Answers carry RateLimit fields. */
  readonly rateLimit: boolean
}

export const silentOrigin: OriginSpeech = { retryAfter: false, rateLimit: false }

export type BuildOrigin = (random: Random, speech: OriginSpeech) => Origin

const SERVICE_MS = 50
/** Errors come back faster than answers. */
const REFUSAL_MS = 5

export function accepted(published: readonly PublishedLimit[] | undefined): Answer {
  return { outcome: { kind: 'ok', published }, serviceMs: SERVICE_MS, units: 1 }
}

/** @param waitMs Until it would accept again. */
export function refused(
  { retryAfter }: OriginSpeech,
  waitMs: number,
  published: readonly PublishedLimit[] | undefined,
): Answer {
  const retryAfterMs = retryAfter ? Math.max(1, Math.ceil(waitMs / 1000)) * 1000 : undefined
  return {
    outcome: { kind: 'throttled', retryAfterMs, published },
    serviceMs: REFUSAL_MS,
    units: 0,
  }
}
