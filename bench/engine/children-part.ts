/** Tasks as small as can be, beside children that do nothing at all. */
import { randomUUID } from 'node:crypto'
import { defaultMatchSizes } from '../../src/core/match-run.ts'
import type { Measure } from '../limiter/stories/story.ts'
import { childRate } from './child-rate.ts'
import type { EngineLab } from './engine-lab.ts'
import { median } from '../median.ts'
import { startProgram } from '../program.ts'
import type { emptyProject } from './workflows/empty-project.ts'

const LEAST_PERCENT = 80
/** Each round decides all records anew, since another threshold is set. */
const FIRST_THRESHOLD = 30

export interface ChildrenOptions {
  /** Up to 500: with more a run has shards. */
  readonly tasks: number
  readonly rounds: number
}

export async function measureChildren(
  lab: EngineLab,
  { tasks, rounds }: ChildrenOptions,
): Promise<readonly Measure[]> {
  const project = await lab.importRecords(tasks, (entry) => entry)
  await lab.match(project)
  const taskQueue = `empty-${randomUUID()}`
  const emptyWorker = startProgram(new URL('empty-worker.ts', import.meta.url), [
    lab.temporal.address,
    taskQueue,
  ])
  await emptyWorker.message()
  const empty: number[] = []
  const deciding: number[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      empty.push(await emptyRate(lab, taskQueue, tasks))
      await lab.run(
        'project',
        'set',
        `${project}`,
        '--threshold',
        `review=${FIRST_THRESHOLD + round}`,
      )
      const { workflowId } = await lab.match(project, { entriesPerTask: 1 })
      deciding.push(await childRate(lab.client, workflowId))
    }
  } finally {
    await emptyWorker.end()
  }
  return [
    { name: 'empty children', value: median(empty), unit: 'children/s' },
    { name: 'tasks of one stored answer', value: median(deciding), unit: 'children/s' },
    {
      name: 'part of the rate of empty children',
      value: (median(deciding) / median(empty)) * 100,
      unit: '%',
      goal: { atLeast: LEAST_PERCENT },
    },
  ]
}

async function emptyRate(lab: EngineLab, taskQueue: string, tasks: number): Promise<number> {
  const { window } = defaultMatchSizes
  const handle = await lab.client.workflow.start<typeof emptyProject>('emptyProject', {
    workflowId: `empty-project/${randomUUID()}`,
    taskQueue,
    args: [{ tasks, window }],
  })
  await handle.result()
  return childRate(lab.client, handle.workflowId)
}
