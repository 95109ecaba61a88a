/** The limiter is away, moves, starts anew, or its host's clock jumps. */
import { countBetween, usePct } from '../measure.ts'
import { metricsOf } from '../metrics.ts'
import { originCase } from '../origins/catalogue.ts'
import { MINUTE_MS, play, type Played, type Scene, type Setting } from '../play.ts'
import type { World } from '../world.ts'
import { always } from './always.ts'
import { recovery, secondsLost } from './changes.ts'
import { steadyAfter } from './processes.ts'
import type { Measure, Story } from './story.ts'

const WHEN_MS = 5 * MINUTE_MS
const HOUR_MS = 3_600_000
const IDLE_MS = 2 * HOUR_MS
/** Ten seconds, and ten that have to be at full speed. */
const FULL_SPEED_AGAIN_S = 20
/** To another process, measured (DESIGN §4). */
const MOVE_MS = 3_000

const onO1 = (scene: Partial<Scene>, setting: Setting): Promise<Played> =>
  play({ origin: originCase('O1').build, minutes: 20, ...scene }, setting)

const at = (ms: number, what: (world: World) => void) => (world: World) =>
  void world.clock.after(ms, () => what(world))

export const limiterStories: readonly Story[] = [
  // Safe mode begins with 80 % and is halved every 30 s, so only the short absence can keep 75 %.
  away(20, 75),
  away(70),
  away(600),
  {
    name: 'limiter-moves',
    title: 'limiter moves to another process in 3 s',
    async run(setting) {
      const arrange = at(WHEN_MS, ({ limiters }) => limiters.move(MOVE_MS))
      const played = await onO1({ arrange, minutes: 10 }, setting)
      const value = secondsLost(played, WHEN_MS, MINUTE_MS)
      return [
        { name: 'lost by the move', value, unit: 's of the rate', goal: { atMost: 5 } },
        ...steadyAfter(played, WHEN_MS + MINUTE_MS),
      ]
    },
  },
  {
    name: 'continue-as-new',
    title: 'continue-as-new every 20 updates',
    run: async (setting) =>
      steadyAfter(
        await onO1({ arrange: ({ limiters }) => limiters.continueAsNewEvery(20) }, setting),
        2 * MINUTE_MS,
      ),
  },
  {
    name: 'host-clock',
    title: "limiter's clock +1 h, and back",
    async run(setting) {
      const arrange = (world: World): void => {
        at(WHEN_MS, ({ limiters }) => limiters.shiftClock(HOUR_MS))(world)
        at(2 * WHEN_MS, ({ limiters }) => limiters.shiftClock(-HOUR_MS))(world)
      }
      return steadyAfter(await onO1({ arrange }, setting), 2 * MINUTE_MS)
    },
  },
  {
    name: 'idle',
    title: 'idle for 2 h, then all at once',
    async run(setting) {
      const backMs = WHEN_MS + IDLE_MS
      const arrange = (world: World): void => {
        at(WHEN_MS, () => world.rest())(world)
        at(backMs, () => world.wake())(world)
      }
      const played = await onO1({ arrange, minutes: (backMs + WHEN_MS) / MINUTE_MS }, setting)
      const refused = countBetween(played.log.refusedMs, backMs, backMs + MINUTE_MS)
      return [
        {
          name: 'refused in the first minute',
          value: refused,
          unit: 'requests',
          goal: { atMost: 20 },
        },
        recovery(played, backMs, 0.9, 45),
        ...always(metricsOf(played)),
      ]
    },
  },
]

function away(seconds: number, goalPct?: number): Story {
  return {
    name: `limiter-away-${seconds}`,
    title: `limiter away for ${seconds} s`,
    async run(setting) {
      const backMs = WHEN_MS + seconds * 1000
      const arrange = at(WHEN_MS, ({ limiters }) => limiters.goAway(seconds * 1000))
      const minutes = (backMs + 2 * MINUTE_MS) / MINUTE_MS
      const played = await onO1({ arrange, minutes }, setting)
      const { log, origin } = played
      const use: Measure = {
        name: 'use while away',
        value: usePct(log, origin, WHEN_MS, backMs),
        unit: '%',
        peers: 'prototype 77.5 at a constant 80 %',
      }
      return [
        goalPct === undefined ? use : { ...use, goal: { atLeast: goalPct } },
        {
          name: 'refused while away',
          value: countBetween(log.refusedMs, WHEN_MS, backMs),
          unit: 'requests',
          goal: { atMost: 0 },
        },
        recovery(played, backMs, 0.9, FULL_SPEED_AGAIN_S),
        { name: 'sent in safe mode', value: log.sentAlone, unit: 'requests' },
        ...always(metricsOf(played)),
      ]
    },
  }
}
