import { ApplicationFailure } from '@temporalio/common'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from '../db/connect.ts'
import { settingsOfRevision } from '../db/projects.repo.ts'
import { findRun, type Run } from '../db/runs.repo.ts'

/** What never changes of a run, whatever happens to it. */
export interface SettledRun {
  readonly run: Pick<Run, 'id' | 'options' | 'projectId' | 'number' | 'temporalRunId'>
  readonly settings: ProjectSettings
  readonly settingsRevision: number
}

/** An open run with the settings it was started with. */
export interface RunSettings extends SettledRun {
  readonly run: Run
}

/** Every request of a run looks at them. */
const settledRuns = new WeakMap<Db, Map<number, SettledRun>>()
const MOST_RUNS_KEPT = 20

/** @throws a final failure when the run or its project is gone: there is nothing left to do. */
export async function loadRunSettings(db: Db, runId: number): Promise<RunSettings> {
  const run = await findRun(db, runId)
  if (run === undefined) throw runGone(runId)
  return { ...(keptRuns(db).get(runId) ?? (await settle(db, run))), run }
}

/**
 * What is settled of a run, mostly without asking: it may be closed or gone since.
 * @throws as `loadRunSettings`
 */
export async function settledRun(db: Db, runId: number): Promise<SettledRun> {
  return keptRuns(db).get(runId) ?? (await loadRunSettings(db, runId))
}

async function settle(db: Db, run: Run): Promise<SettledRun> {
  const { id, options, projectId, number, temporalRunId, settingsRevision } = run
  const settings = await settingsOfRevision(db, projectId, settingsRevision)
  if (settings === undefined) throw runGone(id)
  const settled = {
    run: { id, options, projectId, number, temporalRunId },
    settings,
    settingsRevision,
  }
  const kept = keptRuns(db)
  if (kept.size >= MOST_RUNS_KEPT) kept.clear()
  kept.set(id, settled)
  return settled
}

function keptRuns(db: Db): Map<number, SettledRun> {
  const kept = settledRuns.get(db) ?? new Map<number, SettledRun>()
  settledRuns.set(db, kept)
  return kept
}

export function runGone(runId: number): ApplicationFailure {
  return ApplicationFailure.nonRetryable(
    `Run ${runId} or its project is gone; it was probably deleted.`,
    'run_gone',
  )
}
