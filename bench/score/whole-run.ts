/**
 * A whole run: one worker process, PostgreSQL, Temporal and a service without a limit. The worker asks, stores, scores
 * and decides; then the same records once more after a change of settings, from the stored answers alone.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Measure } from '../limiter/stories/story.ts'
import { openLab } from '../origin/lab.ts'
import { countUndecided } from '../undecided.ts'
import { watchMemory } from '../worker-memory.ts'
import { importArgs, writeMadeFile } from './made-file.ts'
import { subjectOf } from './scoring.ts'
import { startStubService } from './stub-service.ts'

const KIND = 'organisation'
const PROJECT = '301'
const MOST_MEMORY_MB = 512

export async function measureWholeRun(entries: number): Promise<readonly Measure[]> {
  const lab = await openLab(1)
  const service = await startStubService(KIND, subjectOf(entries - 1) + 1)
  const folder = mkdtempSync(join(tmpdir(), 'record-linker-score-'))
  try {
    await lab.restoreWorkers()
    const file = writeMadeFile(folder, KIND, entries, subjectOf)
    await lab.run(...importArgs(file, PROJECT, service.url))
    const memory = watchMemory(lab)
    const askedS = await seconds(() => lab.run('start-match', '--project', PROJECT))
    const questions = service.questions()
    await lab.run('project', 'set', PROJECT, '--threshold', 'review=34')
    const againS = await seconds(() => lab.run('start-match', '--project', PROJECT))
    const peakMb = memory.stop()
    const undecided = await countUndecided(lab, Number(PROJECT))
    return [
      { name: 'asked and decided', value: entries / askedS, unit: 'records/s' },
      { name: 'distinct questions', value: questions, unit: '' },
      { name: 'decided again', value: entries / againS, unit: 'records/s' },
      {
        name: 'asked again for that',
        value: service.questions() - questions,
        unit: '',
        goal: { atMost: 0 },
      },
      { name: 'records without a decision', value: undecided, unit: '', goal: { atMost: 0 } },
      {
        name: 'most memory of the worker',
        value: peakMb,
        unit: 'MB',
        goal: { atMost: MOST_MEMORY_MB },
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await service.close()
    await lab.close()
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return (performance.now() - startedMs) / 1000
}
