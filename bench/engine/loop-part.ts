/** What the engine adds to the wall time of the same work in a plain loop. */
import { defaultMatchSizes } from '../../src/core/match-run.ts'
import type { Measure } from '../limiter/stories/story.ts'
import { subjectOf } from '../score/scoring.ts'
import { BATCH_SIZE, type EngineLab } from './engine-lab.ts'
import { median } from '../median.ts'
import type { PlainLoopEnd } from './plain-loop-process.ts'
import { countUndecided } from '../undecided.ts'
import { startProgram } from '../program.ts'

const MOST_OVERHEAD_PERCENT = 25

export interface LoopOptions {
  readonly entries: number
  readonly rounds: number
}

export async function measureLoop(
  lab: EngineLab,
  { entries, rounds }: LoopOptions,
): Promise<readonly Measure[]> {
  const plainMs: number[] = []
  const matchMs: number[] = []
  let undecided = 0
  for (let round = 0; round < rounds; round += 1) {
    // Whoever goes second works beside larger tables.
    const isPlainFirst = round % 2 === 0
    for (const isPlain of [isPlainFirst, !isPlainFirst]) {
      const project = await lab.importRecords(entries, subjectOf)
      if (isPlain) plainMs.push(await matchPlainly(lab, project))
      else matchMs.push((await lab.match(project)).ms)
      undecided += await countUndecided(lab, project)
    }
  }
  const [plain, match] = [median(plainMs), median(matchMs)]
  return [
    { name: 'the plain loop', value: perSecond(entries, plain), unit: 'records/s' },
    // How many a second is a goal of `bench:million`: the names here take the loop itself longer than that.
    { name: 'a match run, start to end', value: perSecond(entries, match), unit: 'records/s' },
    {
      name: 'engine overhead, of the wall time of the loop',
      value: (match / plain - 1) * 100,
      unit: '%',
      goal: { atMost: MOST_OVERHEAD_PERCENT },
    },
    {
      name: 'what the engine adds to a record',
      value: ((match - plain) / entries) * 1_000,
      unit: 'µs',
    },
    { name: 'records without a decision', value: undecided, unit: '', goal: { atMost: 0 } },
  ]
}

async function matchPlainly(lab: EngineLab, project: number): Promise<number> {
  const { window } = defaultMatchSizes
  const args = [lab.databaseUrl, `${project}`, `${BATCH_SIZE}`, `${window}`]
  const program = startProgram(new URL('plain-loop-process.ts', import.meta.url), args)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own program says nothing else
  const { ms } = (await program.message()) as PlainLoopEnd
  await program.end()
  return ms
}

export function perSecond(count: number, ms: number): number {
  return (count / ms) * 1000
}
