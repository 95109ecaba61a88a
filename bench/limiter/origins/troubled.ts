/** Servers with bad times: an origin, except while something is wrong with it. */
import type { Answer, Origin } from './origin.ts'

export interface Trouble {
  readonly fromMs: number
  readonly toMs: number
  /** What everybody gets meanwhile. */
  readonly answer: Answer
}

export const maxlag: Answer = {
  outcome: { kind: 'throttled', retryAfterMs: 5_000 },
  serviceMs: 5,
  units: 0,
}
export const unavailable: Answer = { outcome: { kind: 'overload' }, serviceMs: 5, units: 0 }
export const refusedConnection: Answer = { outcome: { kind: 'failed' }, serviceMs: 0, units: 0 }

export function troubled(origin: Origin, troubles: readonly Trouble[]): Origin {
  const troubleAt = (nowMs: number) =>
    troubles.find(({ fromMs, toMs }) => nowMs >= fromMs && nowMs < toMs)
  return {
    rateAt: (nowMs) => (troubleAt(nowMs) === undefined ? origin.rateAt(nowMs) : 0),
    arrive: (nowMs) => troubleAt(nowMs)?.answer ?? origin.arrive(nowMs),
  }
}
