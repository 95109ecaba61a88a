/** Worker processes come, die, and are many. */
import { usePct } from '../measure.ts'
import { metricsOf } from '../metrics.ts'
import { originCase } from '../origins/catalogue.ts'
import { DOMAIN, MINUTE_MS, play, SLOTS, type Played, type Scene, type Setting } from '../play.ts'
import type { World } from '../world.ts'
import { always } from './always.ts'
import { secondsLost } from './changes.ts'
import type { Measure, Story } from './story.ts'

const WHEN_MS = 5 * MINUTE_MS
const HOUR_MS = 3_600_000
/** One lease of two seconds, and three. */
const COST_OF_A_DEATH_S = 5

const onO1 = (scene: Partial<Scene>, setting: Setting): Promise<Played> =>
  play({ origin: originCase('O1').build, minutes: 20, ...scene }, setting)

export const processStories: readonly Story[] = [
  {
    name: 'kill',
    title: 'kill -9 of the process that holds the lease',
    async run(setting) {
      let killedMs = Infinity
      const kill = (world: World): void => {
        const holder = world.limiters.holder(DOMAIN)
        const process = world.processes.find(({ name }) => name === holder)
        if (process === undefined) {
          world.clock.after(50, () => kill(world))
          return
        }
        killedMs = world.clock.nowMs()
        world.kill(process)
      }
      const arrange = (world: World): void => void world.clock.after(WHEN_MS, () => kill(world))
      const played = await onO1({ arrange, minutes: 10 }, setting)
      return [
        {
          name: 'lost by the death',
          value: secondsLost(played, killedMs, MINUTE_MS),
          unit: 's of the rate',
          goal: { atMost: COST_OF_A_DEATH_S },
        },
        ...steadyAfter(played, WHEN_MS + MINUTE_MS),
      ]
    },
  },
  {
    name: 'scale-out',
    title: '8 processes, 4 more after 5 min',
    async run(setting) {
      const arrange = (world: World): void =>
        void world.clock.after(WHEN_MS, () => {
          for (let added = 0; added < 4; added += 1) world.addProcess()
        })
      const played = await onO1({ arrange, tasks: 12 * SLOTS }, setting)
      return steadyAfter(played, WHEN_MS)
    },
  },
  {
    name: '15-workers',
    title: '15 processes',
    async run(setting) {
      const played = await onO1({ workers: 15 }, setting)
      const { to90S, to95S, jainWorkers } = metricsOf(played)
      return [
        { name: 'to 90 %', value: to90S, unit: 's', goal: { atMost: 45 } },
        { name: 'to 95 %', value: to95S, unit: 's', goal: { atMost: 60 } },
        { name: 'Jain workers', value: jainWorkers, unit: '', goal: { atLeast: 0.99 } },
        ...steadyAfter(played, 2 * MINUTE_MS),
      ]
    },
  },
  {
    name: 'worker-clocks',
    title: 'clocks of two processes one hour fast and slow',
    async run(setting) {
      const arrange = (world: World): void => {
        world.addProcess(HOUR_MS)
        world.addProcess(-HOUR_MS)
      }
      return steadyAfter(
        await onO1({ arrange, workers: 6, tasks: 8 * SLOTS }, setting),
        2 * MINUTE_MS,
      )
    },
  },
]

/** As if nothing had happened. */
export function steadyAfter(played: Played, fromMs: number): readonly Measure[] {
  const { log, origin, endMs } = played
  const refused = log.refusedMs.filter((ms) => ms >= fromMs).length
  const sent = log.sentMs.filter((ms) => ms >= fromMs).length
  return [
    { name: 'use', value: usePct(log, origin, fromMs, endMs), unit: '%', goal: { atLeast: 98 } },
    {
      name: 'refused per 1000',
      value: (1000 * refused) / Math.max(1, sent),
      unit: 'requests',
      goal: { atMost: 1 },
    },
    ...always(metricsOf(played)),
  ]
}
