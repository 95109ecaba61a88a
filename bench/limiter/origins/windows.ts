/** Servers that count in windows: so many requests per calendar minute, or in any ten seconds. */
import type { PublishedLimit } from '../../../src/core/limiter/protocol.ts'
import { accepted, refused, type Origin, type OriginSpeech } from './origin.ts'

export interface WindowQuota {
  readonly quota: number
  readonly windowMs: number
}

/** Starts anew at each multiple of its length. */
export function fixedWindow({ quota, windowMs }: WindowQuota, speech: OriginSpeech): Origin {
  let number = -1
  let taken = 0
  return {
    rateAt: () => (quota * 1000) / windowMs,
    arrive(nowMs) {
      const present = Math.floor(nowMs / windowMs)
      if (present !== number) {
        number = present
        taken = 0
      }
      const leftMs = (present + 1) * windowMs - nowMs
      const isFull = taken >= quota
      if (!isFull) taken += 1
      const published = publish(speech, { quota, windowMs }, quota - taken, leftMs)
      return isFull ? refused(speech, leftMs, published) : accepted(published)
    },
  }
}

/** Looks back over its length at each request; refused ones do not count. */
export function slidingWindow({ quota, windowMs }: WindowQuota, speech: OriginSpeech): Origin {
  /** The last `quota` accepted requests, as a ring. */
  const taken = new Float64Array(quota).fill(-Infinity)
  let oldest = 0
  return {
    rateAt: () => (quota * 1000) / windowMs,
    arrive(nowMs) {
      const freeMs = (taken[oldest] ?? 0) + windowMs
      const isFull = nowMs < freeMs
      if (!isFull) {
        taken[oldest] = nowMs
        oldest = (oldest + 1) % quota
      }
      const left = speech.rateLimit ? taken.filter((ms) => ms + windowMs <= nowMs).length : 0
      const resetMs = Math.max(0, (taken[oldest] ?? 0) + windowMs - nowMs)
      const published = publish(speech, { quota, windowMs }, left, resetMs)
      return isFull ? refused(speech, freeMs - nowMs, published) : accepted(published)
    },
  }
}

function publish(
  { rateLimit }: OriginSpeech,
  { quota, windowMs }: WindowQuota,
  remaining: number,
  resetMs: number,
): readonly PublishedLimit[] | undefined {
  if (!rateLimit) return undefined
  return [{ quota, windowMs, remaining, resetMs: Math.ceil(resetMs / 1000) * 1000 }]
}
