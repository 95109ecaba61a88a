/**
 * The schedule of a seed: which faults, when, and how long. Pure, so that a seed means the same on every machine.
 *
 * Faults are dealt like cards, so that every kind comes up before one comes a second time. They are tied to the
 * progress of the match and not to a clock: on a slow machine they hit the same phases. Every third one comes so soon
 * after another that both are there at once.
 */
import { type Random, seededRandom } from '../../../bench/limiter/seeded-random.ts'
import type { Fault, FaultyPart, PlannedFault, Refusal } from './fault.ts'

export interface FaultPlan {
  readonly seed: number
  /** In the order in which they come. */
  readonly faults: readonly PlannedFault[]
  /** Records of one task; null: as the program chooses. */
  readonly entriesPerTask: number | null
}

export interface PlanOptions {
  readonly faults: number
  /** The longest pause, ms. */
  readonly longestMs: number
}

/** The last fault has to find some work. */
const LAST_SHARE = 0.9
/** Part of the faults that come soon after another. */
const TOGETHER = 1 / 3
const TOGETHER_WITHIN_MS = 3_000
const SHORTEST_MS = 1_000
/** Few enough that a question seldom meets three of them, which would end it as FAILED. */
const MOST_REFUSED = 12

export function planFaults(seed: number, options: PlanOptions): FaultPlan {
  const random = seededRandom(seed, 'faults')
  const draw = dealer(random, options)
  const faults: PlannedFault[] = []
  const shares = Array.from({ length: options.faults }, () => random() * LAST_SHARE).toSorted()
  for (const share of shares) {
    const before = faults.at(-1)
    const isTogether = before !== undefined && random() < TOGETHER
    faults.push({
      atShare: isTogether ? before.atShare : share,
      afterMs: Math.round(random() * (isTogether ? TOGETHER_WITHIN_MS : SHORTEST_MS)),
      fault: draw(),
    })
  }
  return { seed, faults, entriesPerTask: random() < 0.5 ? null : 8 }
}

/** Draws from a shuffled pack of all kinds; an empty one is shuffled anew. */
function dealer(random: Random, { longestMs }: PlanOptions): () => Fault {
  const between = (from: number, to: number) => Math.round(from + random() * (to - from))
  const forMs = () => between(SHORTEST_MS, longestMs)
  const kill = (part: FaultyPart | 'keeper') => (): Fault => ({
    kind: 'kill',
    part,
    awayMs: forMs(),
  })
  const pause = (part: FaultyPart) => (): Fault => ({ kind: 'pause', part, forMs: forMs() })
  const burst = (refusal: () => Refusal) => (): Fault => ({
    kind: 'burst',
    refusal: refusal(),
    requests: between(1, MOST_REFUSED),
  })
  const status =
    (...statuses: readonly number[]) =>
    (): Refusal => ({
      how: 'status',
      status: oneOf(statuses, random),
      retryAfterS: random() < 0.3 ? between(1, 4) : null,
    })
  const kinds: readonly (() => Fault)[] = [
    kill('worker'),
    kill('temporal'),
    kill('postgres'),
    kill('origin'),
    kill('keeper'),
    pause('worker'),
    pause('temporal'),
    pause('postgres'),
    pause('origin'),
    () => ({ kind: 'power_cut' }),
    burst(() => ({ how: oneOf(['reset', 'reset_in_body'], random) })),
    burst(status(429)),
    burst(status(500, 502, 503, 504)),
    () => ({ kind: 'disk_full', forMs: forMs() }),
    () => ({ kind: 'start_twice' }),
    () => ({ kind: 'cancel', restMs: between(0, 3_000), starts: between(1, 2) }),
  ]
  let pack: (() => Fault)[] = []
  return () => {
    if (pack.length === 0) pack = shuffled(kinds, random)
    return (pack.pop() ?? kill('worker'))()
  }
}

function oneOf<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const rest = [...values]
  return values.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0] as T)
}
