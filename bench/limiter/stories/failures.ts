/** The server fails, or asks everybody to wait. */
import { countBetween } from '../measure.ts'
import { metricsOf } from '../metrics.ts'
import { originCase } from '../origins/catalogue.ts'
import type { Answer, BuildOrigin } from '../origins/origin.ts'
import { refusedConnection, troubled, unavailable } from '../origins/troubled.ts'
import { MINUTE_MS, play, type Played } from '../play.ts'
import type { DomainLog } from '../run-log.ts'
import { always } from './always.ts'
import { recovery } from './changes.ts'
import type { Story } from './story.ts'

const FROM_MS = 5 * MINUTE_MS
const ASKED_WAIT_MS = 120_000
/** What is on its way, or granted, when the breaker opens is not called back. */
const ON_ITS_WAY_MS = 3_000

export const failureStories: readonly Story[] = [
  outage('outage', '503 for 60 s', unavailable, MINUTE_MS),
  outage('hard-close', 'connections refused for 5 min', refusedConnection, 5 * MINUTE_MS),
  {
    name: 'retry-after-120',
    title: '429 with Retry-After: 120',
    async run(setting) {
      const toMs = FROM_MS + ASKED_WAIT_MS
      const played = await play({ origin: askedToWait(FROM_MS, toMs), minutes: 12 }, setting)
      const { log } = played
      return [
        {
          name: 'refused',
          value: countBetween(log.refusedMs, FROM_MS, toMs),
          unit: 'requests',
          goal: { atMost: 20 },
        },
        recovery(played, toMs, 0.9, 30),
        {
          name: 'breaker opens',
          value: metricsOf(played).breakerOpens,
          unit: 'times',
          goal: { atMost: 0 },
        },
        ...always(metricsOf(played)),
      ]
    },
  },
]

function outage(name: string, title: string, answer: Answer, lastsMs: number): Story {
  return {
    name,
    title,
    async run(setting) {
      const toMs = FROM_MS + lastsMs
      const troubles = [{ fromMs: FROM_MS, toMs, answer }]
      const origin: BuildOrigin = (...how) => troubled(originCase('O1').build(...how), troubles)
      const played = await play({ origin, minutes: (toMs + 10 * MINUTE_MS) / MINUTE_MS }, setting)
      const { log, endMs } = played
      const metrics = metricsOf(played)
      const closedMs = log.breaker.find(({ atMs, state }) => atMs >= toMs && state === 'closed')
      return [
        {
          name: 'breaker opens after',
          value: openedAfterS(played),
          unit: 's',
          goal: { atMost: 5 },
        },
        {
          name: 'breaker closes after',
          value: ((closedMs?.atMs ?? Infinity) - toMs) / 1000,
          unit: 's',
          goal: { atMost: (lastsMs * 2) / 1000 },
        },
        {
          name: 'left open',
          value: metrics.breakerOpens > 0 && log.breaker.at(-1)?.state !== 'closed' ? 1 : 0,
          unit: 'times',
          goal: { atMost: 0, isInvariant: true },
        },
        {
          name: 'probes per half-open time',
          value: mostProbes(log, endMs),
          unit: 'requests',
          goal: { atMost: 3, isInvariant: true },
        },
        {
          name: 'sent while open',
          value: sentWhileOpen(log, endMs),
          unit: 'requests',
          goal: { atMost: 0, isInvariant: true },
        },
        { name: 'failed requests', value: log.failedMs.length, unit: 'requests' },
        {
          ...recovery(played, closedMs?.atMs ?? toMs, 0.9, 60),
          name: 'back to 90 % after closing',
        },
        ...always(metrics),
      ]
    },
  }
}

function openedAfterS({ log }: Played): number {
  const opened = log.breaker.find(({ state }) => state === 'open')
  return ((opened?.atMs ?? Infinity) - FROM_MS) / 1000
}

function mostProbes(log: DomainLog, endMs: number): number {
  return Math.max(
    0,
    ...spells(log, 'half_open', endMs).map(({ fromMs, toMs }) =>
      countBetween(log.sentMs, fromMs, toMs),
    ),
  )
}

function sentWhileOpen(log: DomainLog, endMs: number): number {
  return spells(log, 'open', endMs).reduce(
    (sum, { fromMs, toMs }) => sum + countBetween(log.sentMs, fromMs + ON_ITS_WAY_MS, toMs),
    0,
  )
}

function spells({ breaker }: DomainLog, wanted: string, endMs: number) {
  return breaker.flatMap(({ atMs, state }, index) =>
    state === wanted ? [{ fromMs: atMs, toMs: breaker[index + 1]?.atMs ?? endMs }] : [],
  )
}

/** Refuses everybody until its time is over, and says when that is. */
function askedToWait(fromMs: number, toMs: number): BuildOrigin {
  return (...how) => {
    const well = originCase('O1').build(...how)
    const isShut = (nowMs: number): boolean => nowMs >= fromMs && nowMs < toMs
    return {
      rateAt: (nowMs) => (isShut(nowMs) ? 0 : well.rateAt(nowMs)),
      arrive(nowMs) {
        if (!isShut(nowMs)) return well.arrive(nowMs)
        const retryAfterMs = 1000 * Math.ceil((toMs - nowMs) / 1000)
        return { outcome: { kind: 'throttled', retryAfterMs }, serviceMs: 5, units: 0 }
      },
    }
  }
}
