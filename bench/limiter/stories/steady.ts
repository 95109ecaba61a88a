/** Steady demand for twenty minutes: the twelve origins, silent or with headers. */
import { metricsOf } from '../metrics.ts'
import { originCase, originNames, type OriginName } from '../origins/catalogue.ts'
import { silentOrigin, type OriginSpeech } from '../origins/origin.ts'
import { play } from '../play.ts'
import { always } from './always.ts'
import type { Goal, Story } from './story.ts'

interface SteadyGoals {
  readonly use: number
  /** Per 1000 requests at 20 requests per second and more; per 15 minutes below; none where the quota moves. */
  readonly refused: 'per 1000' | 'per 15 min' | 'none'
}

/**
 * Use: 98 % with a second of burst or ten of window, 96 % at five and at one request per second, 94 % of
 * strict ones. The last four are ours: O9 refuses nobody and only queues; O10 counts the minutes in which
 * it answers; O12 moves every minute, like the quota of S2, of which 90 % are published.
 */
const goals: Readonly<Record<OriginName, SteadyGoals>> = {
  O1: { use: 98, refused: 'per 1000' },
  O2: { use: 94, refused: 'per 1000' },
  O3: { use: 96, refused: 'per 15 min' },
  O4: { use: 96, refused: 'per 15 min' },
  O5: { use: 98, refused: 'per 1000' },
  O6: { use: 98, refused: 'per 1000' },
  O7: { use: 94, refused: 'per 1000' },
  O8: { use: 98, refused: 'per 1000' },
  O9: { use: 94, refused: 'per 1000' },
  O10: { use: 94, refused: 'per 1000' },
  O11: { use: 94, refused: 'per 15 min' },
  O12: { use: 90, refused: 'none' },
}

const speeches: readonly { readonly suffix: string; readonly speech: OriginSpeech }[] = [
  { suffix: '', speech: silentOrigin },
  { suffix: '+retry-after', speech: { retryAfter: true, rateLimit: false } },
  { suffix: '+rate-limit', speech: { retryAfter: false, rateLimit: true } },
]
/** These have no quota to speak of. */
const speechless: readonly OriginName[] = ['O9', 'O10', 'O11', 'O12']

/**
 * Of eight processes. A run of the limiter is to last a quarter of an hour (research/limiter.md §3.3):
 * 1,800 updates in it.
 */
const UPDATES_PER_HOUR = 7_200

export const steadyStories: readonly Story[] = speeches.flatMap(({ suffix, speech }) =>
  originNames
    .filter((name) => suffix === '' || !speechless.includes(name))
    .map((name) => steady(name, suffix, speech)),
)

function steady(name: OriginName, suffix: string, speech: OriginSpeech): Story {
  const { title, build, policy } = originCase(name)
  const { use, refused } = goals[name]
  const goalIf = (unit: SteadyGoals['refused'], goal: Goal) => (refused === unit ? { goal } : {})
  return {
    name: `${name}${suffix}`,
    title: suffix === '' ? title : `${title}, ${suffix.slice(1)}`,
    async run(setting) {
      const played = await play({ origin: build, minutes: 20, policy, speech }, setting)
      const metrics = metricsOf(played)
      return [
        { name: 'use', value: metrics.use, unit: '%', goal: { atLeast: use } },
        {
          name: 'refused per 1000',
          value: metrics.refusedPer1000,
          unit: 'requests',
          ...goalIf('per 1000', { atMost: 1 }),
        },
        {
          name: 'refused per 15 min',
          value: metrics.refusedPer15Min,
          unit: 'requests',
          ...goalIf('per 15 min', { atMost: 20 }),
        },
        { name: 'to 90 %', value: metrics.to90S, unit: 's', goal: { atMost: 45 } },
        { name: 'to 95 %', value: metrics.to95S, unit: 's', goal: { atMost: 60 } },
        { name: 'Jain projects', value: metrics.jainProjects, unit: '', goal: { atLeast: 0.95 } },
        { name: 'Jain workers', value: metrics.jainWorkers, unit: '', goal: { atLeast: 0.99 } },
        { name: 'latency p95', value: metrics.p95LatencyMs, unit: 'ms' },
        {
          name: 'updates per hour',
          value: metrics.updatesPerHour,
          unit: 'updates',
          goal: { atMost: UPDATES_PER_HOUR },
        },
        { name: 'breaker opens', value: metrics.breakerOpens, unit: 'times', goal: { atMost: 0 } },
        ...always(metrics),
      ]
    },
  }
}
