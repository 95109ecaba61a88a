/** Scenarios others have published for limiters of theirs (research/limiter.md §2.2); S2 is among the changes. */
import { capacity, countBetween } from '../measure.ts'
import { metricsOf, quantile } from '../metrics.ts'
import { concurrency } from '../origins/concurrency.ts'
import type { BuildOrigin } from '../origins/origin.ts'
import { tokenBucket } from '../origins/token-bucket.ts'
import { DOMAIN, MINUTE_MS, play, PROJECTS, type Played, type Scene } from '../play.ts'
import { seededRandom, type Random } from '../seeded-random.ts'
import type { World } from '../world.ts'
import { always } from './always.ts'
import type { Measure, Story } from './story.ts'

/** Practically none: what the published runs call 10,000 per second. */
const UNLIMITED = 10_000
/** Those begin without any limit; ours begins as it does with a server of our own. */
const FIRST_RPS = 100
const QUARTER_MINUTE_MS = 15_000

export const publishedStories: readonly Story[] = [
  eager('S1-limited', '20/s from the start, 10 eager processes', () => 20, {
    seconds: 2,
    atLeast: 10,
    atMost: 30,
  }),
  eager('S1-falls', '10,000/s, 10/s from 3 s on', (ms) => (ms < 3_000 ? UNLIMITED : 10), {
    seconds: 2,
    atLeast: 3,
    atMost: 20,
  }),
  eager(
    'S1-dips',
    '10,000/s, 20/s from 2 s to 4 s',
    (ms) => (ms < 2_000 || ms >= 4_000 ? UNLIMITED : 20),
    {
      seconds: 3,
      atLeast: 20,
    },
  ),
  offered({
    name: 'S3-slow-spell',
    title: '100/s offered to 12 hands: 50 ms, 150 ms from 20 s to 100 s',
    parts: [{ rps: 100, seconds: 140 }],
    origin: () =>
      concurrency({
        hands: 12,
        serviceMs: (ms) => (ms >= 20_000 && ms < 100_000 ? 150 : 50),
        longestQueueMs: LONGEST_QUEUE_MS,
      }),
  }),
  offered({
    name: 'S3-mixed',
    title: '100, 200, 100/s offered to 8 hands: 40, 80, 200, 500 ms',
    parts: [
      { rps: 100, seconds: 10 },
      { rps: 200, seconds: 30 },
      { rps: 100, seconds: 10 },
    ],
    origin: (random) =>
      concurrency({
        hands: 8,
        serviceMs: () => mixedMs(random()),
        meanServiceMs: () => 0.7 * 40 + 0.2 * 80 + 0.07 * 200 + 0.03 * 500,
        longestQueueMs: LONGEST_QUEUE_MS,
      }),
  }),
  offered({
    name: 'S4',
    title: '50, 90, 200, 100/s offered to 2 hands: lognormal, mean 20 ms',
    parts: [50, 90, 200, 100].map((rps) => ({ rps, seconds: 100 })),
    origin: (random) =>
      concurrency({
        hands: 2,
        serviceMs: () => lognormalMs(random),
        meanServiceMs: () => 20,
        longestQueueMs: LONGEST_QUEUE_MS,
      }),
  }),
]

interface Expected {
  /** Over the last so many. */
  readonly seconds: number
  readonly atLeast: number
  readonly atMost?: number
}

/** S1: the rate of all requests, refused ones too, at the end of 15 s; a third may be refused there. */
function eager(
  name: string,
  title: string,
  rateAt: (nowMs: number) => number,
  { seconds, ...goal }: Expected,
): Story {
  return {
    name,
    title: `S1: ${title}`,
    async run(setting) {
      const origin: BuildOrigin = (_, speech) => tokenBucket({ rateAt, burstS: 1 }, speech)
      const played = await play(
        { origin, minutes: 0.25, workers: 10, policy: { initialRps: FIRST_RPS } },
        setting,
      )
      const { log } = played
      const fromMs = QUARTER_MINUTE_MS - seconds * 1000
      return [
        {
          name: `sent at the end of 15 s`,
          value: countBetween(log.sentMs, fromMs, QUARTER_MINUTE_MS) / seconds,
          unit: '/s',
          goal,
        },
        {
          name: 'refused',
          value: (100 * log.refusedMs.length) / Math.max(1, log.sentMs.length),
          unit: '%',
          goal: { atMost: 33 },
          peers: 'a third may be',
        },
        ...always(metricsOf(played)),
      ]
    },
  }
}

interface Offered {
  readonly name: string
  readonly title: string
  readonly parts: readonly { readonly rps: number; readonly seconds: number }[]
  readonly origin: BuildOrigin
}

/** A second in the queue is an error. */
const LONGEST_QUEUE_MS = 1_000

/** Requests come by themselves, whether there is an answer or not (Poisson); begins at the first part's rate. */
function offered({ name, title, parts, origin }: Offered): Story {
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0)
  return {
    name,
    title: `${name.slice(0, 2)}: ${title}`,
    async run(setting) {
      const random = seededRandom(setting.seed, 'arrivals')
      const scene: Scene = {
        origin,
        minutes: (seconds * 1000) / MINUTE_MS,
        workers: 2,
        slots: 100,
        tasks: 0,
        policy: { initialRps: parts[0]?.rps ?? 1 },
        arrange: (world) => arrivals(world, parts, random),
      }
      const played = await play(scene, setting)
      return [...outcome(played, parts), ...always(metricsOf(played))]
    },
  }
}

/** No outcomes were published: nothing to reach, much to compare. */
function outcome(played: Played, parts: Offered['parts']): readonly Measure[] {
  const { log, origin, endMs } = played
  const asked = parts.reduce((sum, { rps, seconds }) => sum + rps * seconds, 0)
  const possible = Math.min(asked, capacity(origin, 0, endMs))
  return [
    { name: 'accepted of the possible', value: (100 * log.accepted.length) / possible, unit: '%' },
    { name: 'rejected', value: (100 * log.failedMs.length) / log.sentMs.length, unit: '%' },
    { name: 'latency median', value: quantile(log.latencyMs, 0.5), unit: 'ms' },
    { name: 'latency p95', value: quantile(log.latencyMs, 0.95), unit: 'ms' },
  ]
}

function arrivals(world: World, parts: Offered['parts'], random: Random): void {
  let untilMs = 0
  for (const { rps, seconds } of parts) {
    let ms = untilMs
    untilMs += seconds * 1000
    for (;;) {
      ms -= (Math.log(1 - random()) * 1000) / rps
      if (ms >= untilMs) break
      const project = PROJECTS[random() < 0.5 ? 0 : 1] ?? ''
      world.clock.after(ms, () => world.addTask(DOMAIN, project, false))
    }
  }
}

function mixedMs(chance: number): number {
  if (chance < 0.7) return 40
  if (chance < 0.9) return 80
  return chance < 0.97 ? 200 : 500
}

/** Mean 20 ms; the spread of its logarithm is not named by the source. */
function lognormalMs(random: Random): number {
  const sigma = 0.5
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return 20 * Math.exp(sigma * normal - sigma ** 2 / 2)
}
