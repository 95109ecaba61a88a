/** How large a worker has to be: the same run by workers with fewer and more places, connections and tasks in flight. */
import type { Measure } from '../limiter/stories/story.ts'
import { median } from '../median.ts'
import { subjectOf } from '../score/scoring.ts'
import type { EngineLab } from './engine-lab.ts'
import { type LoopOptions, perSecond } from './loop-part.ts'

interface Size {
  readonly name: string
  readonly flags: readonly string[]
  /** Tasks in flight; null: as many as a run has that says nothing. */
  readonly window: number | null
}

const sizes: readonly Size[] = [
  { name: 'as it is', flags: [], window: null },
  { name: 'pollers auto', flags: ['--pollers', 'auto'], window: null },
  { name: '5 pollers', flags: ['--pollers', '5'], window: null },
  { name: '20 pollers', flags: ['--pollers', '20'], window: null },
  { name: '10 activities', flags: ['--activities', '10'], window: null },
  { name: '20 activities', flags: ['--activities', '20'], window: null },
  { name: '80 activities', flags: ['--activities', '80'], window: null },
  { name: '5 connections', flags: ['--db-connections', '5'], window: null },
  { name: '20 connections', flags: ['--db-connections', '20'], window: null },
  { name: 'window 12', flags: [], window: 12 },
  { name: 'window 48', flags: ['--activities', '80'], window: 48 },
]

/** Each run has a worker of its own, which was never warm. */
export async function measureSizes(
  lab: EngineLab,
  { entries, rounds }: LoopOptions,
): Promise<readonly Measure[]> {
  const tookMs = new Map(sizes.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round += 1) {
    // Whoever goes last works beside larger tables.
    for (const size of round % 2 === 0 ? sizes : sizes.toReversed()) {
      const project = await lab.importRecords(entries, subjectOf)
      await lab.replaceWorkers(...size.flags)
      if (size.window !== null) {
        await lab.run('match', 'set', '--project', `${project}`, '--window', `${size.window}`)
      }
      tookMs.get(size.name)?.push((await lab.match(project)).ms)
    }
  }
  await lab.replaceWorkers()
  return [...tookMs].map(([name, ms]) => ({
    name,
    value: perSecond(entries, median(ms)),
    unit: 'records/s',
  }))
}
