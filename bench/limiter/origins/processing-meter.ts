/** Meters the seconds it works for a client, like Wikidata's query service: 60 s in 60 s, 120 s saved up. */
import type { Random } from '../seeded-random.ts'
import { refused, type Origin, type OriginSpeech } from './origin.ts'

const PER_SECOND = 1
const SAVED_S = 120
/** Questions take 0.1 s to 4 s, most of them little: mean 1 s. */
const SHORTEST_S = 0.1
const LONGEST_S = 4
const SKEW = 3.333

export function processingMeter(random: Random, speech: OriginSpeech): Origin {
  let creditS = SAVED_S
  let filledMs = 0
  return {
    rateAt: () => PER_SECOND,
    arrive(nowMs) {
      creditS = Math.min(SAVED_S, creditS + ((nowMs - filledMs) / 1000) * PER_SECOND)
      filledMs = nowMs
      if (creditS <= 0) return refused(speech, (-creditS / PER_SECOND) * 1000, undefined)
      const cost = SHORTEST_S + (LONGEST_S - SHORTEST_S) * random() ** SKEW
      // Charged as it begins: what the real one charges while it works differs by the length of one question.
      creditS -= cost
      return { outcome: { kind: 'ok', cost }, serviceMs: cost * 1000, units: cost }
    },
  }
}
