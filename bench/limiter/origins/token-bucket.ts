/** Refills evenly and can save up a little: the usual limiter of a gateway. */
import type { PublishedLimit } from '../../../src/core/limiter/protocol.ts'
import { accepted, refused, type Origin, type OriginSpeech } from './origin.ts'

export interface TokenBucket {
  /** Requests per second, at each instant. */
  readonly rateAt: (nowMs: number) => number
  /** What it can save up, in seconds of its rate. */
  readonly burstS: number
}

export function tokenBucket({ rateAt, burstS }: TokenBucket, speech: OriginSpeech): Origin {
  let tokens = rateAt(0) * burstS
  let filledMs = 0
  const publish = (rate: number): readonly PublishedLimit[] | undefined => {
    if (!speech.rateLimit) return undefined
    const windowMs = 1000 * Math.max(1, Math.round(burstS))
    const quota = Math.floor((rate * windowMs) / 1000)
    const resetMs = Math.ceil((rate * burstS - tokens) / rate) * 1000
    return [{ quota, windowMs, remaining: Math.floor(tokens), resetMs }]
  }
  return {
    rateAt,
    arrive(nowMs) {
      const rate = rateAt(nowMs)
      tokens = Math.min(rate * burstS, tokens + ((nowMs - filledMs) * rate) / 1000)
      filledMs = nowMs
      if (tokens < 1) return refused(speech, ((1 - tokens) * 1000) / rate, publish(rate))
      tokens -= 1
      return accepted(publish(rate))
    },
  }
}
