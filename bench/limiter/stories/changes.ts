/** The server's limit moves. */
import {
  acceptedUnits,
  countBetween,
  secondsUntilPart,
  secondsUntilQuiet,
  usePct,
} from '../measure.ts'
import { metricsOf } from '../metrics.ts'
import type { BuildOrigin } from '../origins/origin.ts'
import { tokenBucket } from '../origins/token-bucket.ts'
import { MINUTE_MS, play, type Played } from '../play.ts'
import { always } from './always.ts'
import type { Measure, Story } from './story.ts'

const CHANGE_MS = 5 * MINUTE_MS
const BACK_MS = CHANGE_MS + MINUTE_MS
const LATER_MS = 10 * MINUTE_MS
/** Refusals that come of one change have ended when there was none for so long. */
const QUIET_MS = 15_000

export const changeStories: readonly Story[] = [
  {
    name: 'half-for-a-minute',
    title: 'S2: 3,000 per minute, 2 processes, −50 % for 60 s',
    async run(setting) {
      const rateAt = (ms: number): number => (ms >= CHANGE_MS && ms < BACK_MS ? 25 : 50)
      const played = await play({ origin: bucket(rateAt), minutes: 15, workers: 2 }, setting)
      const { log, origin, endMs } = played
      return [
        {
          name: 'use',
          value: usePct(log, origin, 0, endMs),
          unit: '%',
          goal: { atLeast: 90 },
          peers: 'published 90; AIMD 73, CUBIC 88',
        },
        {
          name: 'refused',
          value: log.refusedMs.length,
          unit: 'requests',
          goal: { atMost: 56 },
          peers: 'published 56, retries only 64,931; CUBIC 317',
        },
        {
          ...recovery(played, BACK_MS, 0.9, 30),
          peers: 'published 8; AIMD 94, CUBIC 6',
        },
        ...always(metricsOf(played)),
      ]
    },
  },
  {
    name: 'double',
    title: '20/s → 40/s',
    async run(setting) {
      const played = await play(
        { origin: bucket((ms) => (ms < CHANGE_MS ? 20 : 40)), minutes: 10 },
        setting,
      )
      return [
        recovery(played, CHANGE_MS, 0.9, 60),
        refusedFrom(played, CHANGE_MS),
        ...always(metricsOf(played)),
      ]
    },
  },
  {
    name: 'quarter',
    title: '20/s → 5/s',
    async run(setting) {
      const played = await play(
        { origin: bucket((ms) => (ms < CHANGE_MS ? 20 : 5)), minutes: 15 },
        setting,
      )
      const { log, origin, endMs } = played
      return [
        ...quiet(played, CHANGE_MS),
        {
          name: 'use a minute later',
          value: usePct(log, origin, BACK_MS, endMs),
          unit: '%',
          goal: { atLeast: 96 },
        },
        ...always(metricsOf(played)),
      ]
    },
  },
  {
    name: 'down-and-up',
    title: '20/s → 5/s → 40/s',
    async run(setting) {
      const rateAt = (ms: number): number => (ms < CHANGE_MS ? 20 : ms < LATER_MS ? 5 : 40)
      const played = await play({ origin: bucket(rateAt), minutes: 15 }, setting)
      return [
        ...quiet(played, CHANGE_MS),
        { ...recovery(played, LATER_MS, 0.9, 60), peers: 'prototype 52' },
        ...always(metricsOf(played)),
      ]
    },
  },
]

/** A second of burst. */
function bucket(rateAt: (nowMs: number) => number): BuildOrigin {
  return (_, speech) => tokenBucket({ rateAt, burstS: 1 }, speech)
}

export function recovery(
  { log, origin }: Played,
  fromMs: number,
  part: number,
  goalS: number,
): Measure {
  return {
    name: `back to ${100 * part} %`,
    value: secondsUntilPart(log, origin, part, fromMs),
    unit: 's',
    goal: { atMost: goalS },
  }
}

function refusedFrom({ log, endMs }: Played, fromMs: number): Measure {
  const value = countBetween(log.refusedMs, fromMs, endMs)
  return { name: 'refused from then on', value, unit: 'requests' }
}

function quiet({ log }: Played, fromMs: number): readonly Measure[] {
  const quietS = secondsUntilQuiet(log, fromMs, QUIET_MS)
  const refused = countBetween(log.refusedMs, fromMs, fromMs + quietS * 1000 + 1)
  return [
    {
      name: 'refused by the drop',
      value: refused,
      unit: 'requests',
      goal: { atMost: 20 },
      peers: 'prototype 18',
    },
    { name: 'quiet after', value: quietS, unit: 's', goal: { atMost: 40 }, peers: 'prototype 34' },
  ]
}
/** What was not sent after an event that should have been, in seconds of the full rate. */
export function secondsLost({ log, origin }: Played, fromMs: number, forMs: number): number {
  const rate = origin.rateAt(fromMs)
  return Math.max(0, forMs / 1000 - acceptedUnits(log, fromMs, fromMs + forMs) / rate)
}
