/** Others: another project in the same domain, another domain in the same processes. */
import { acceptedUnits } from '../measure.ts'
import { CONVERGED_MS, metricsOf } from '../metrics.ts'
import { originCase } from '../origins/catalogue.ts'
import { unavailable } from '../origins/troubled.ts'
import { play, type Played, type Setting } from '../play.ts'
import type { World } from '../world.ts'
import { always } from './always.ts'
import { steadyAfter } from './processes.ts'
import type { Story } from './story.ts'

const FAILING = 'failing.example'
const TASKS = 100

export const neighbourStories: readonly Story[] = [
  {
    name: 'weights',
    title: 'two projects, weights 3:1',
    async run(setting) {
      const weightOf = (project: string): number => (project === '1' ? 3 : 1)
      const played = await play({ origin: originCase('O1').build, minutes: 20, weightOf }, setting)
      const { jainProjects } = metricsOf(played, weightOf)
      return [
        {
          name: 'Jain projects, weighted',
          value: jainProjects,
          unit: '',
          goal: { atLeast: 0.95 },
        },
        ...steadyAfter(played, CONVERGED_MS),
      ]
    },
  },
  {
    name: 'failing-neighbour',
    title: 'another domain of the same processes answers only 503',
    async run(setting) {
      const alone = await besideFailing(0, setting)
      const beside = await besideFailing(TASKS, setting)
      const value = (100 * acceptedOf(beside)) / acceptedOf(alone)
      return [
        {
          name: 'healthy domain, of its rate alone',
          value,
          unit: '%',
          goal: { atLeast: 99, atMost: 101 },
        },
        ...always(metricsOf(beside)),
      ]
    },
  },
]

/** Three processes with 40 slots each; 100 activities for each domain. */
function besideFailing(failingTasks: number, setting: Setting): Promise<Played> {
  const arrange = (world: World): void => {
    world.addDomain(FAILING, { rateAt: () => 0, arrive: () => unavailable })
    for (let made = 0; made < failingTasks; made += 1) world.addTask(FAILING, 'failing')
  }
  const origin = originCase('O1').build
  return play({ origin, minutes: 20, workers: 3, tasks: TASKS, arrange }, setting)
}

function acceptedOf({ log, endMs }: Played): number {
  return acceptedUnits(log, CONVERGED_MS, endMs)
}
