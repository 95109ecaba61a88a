import { ApplicationFailure } from '@temporalio/common'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from '../db/connect.ts'
import { settingsOfRevision } from '../db/projects.repo.ts'
import { findRun, type Run } from '../db/runs.repo.ts'

/** An open run with the settings it was started with. */
export interface RunSettings {
  readonly run: Run
  readonly settings: ProjectSettings
  readonly settingsRevision: number
}

/** Settings of a run never change, and every request of it looks at them. */
const settingsOfRuns = new WeakMap<Db, Map<number, ProjectSettings>>()
const MOST_RUNS_KEPT = 20

/** @throws a final failure when the run or its project is gone: there is nothing left to do. */
export async function loadRunSettings(db: Db, runId: number): Promise<RunSettings> {
  const run = await findRun(db, runId)
  const settings = run === undefined ? undefined : await settingsOfRun(db, run)
  if (run === undefined || settings === undefined) {
    throw runGone(runId)
  }
  return { run, settings, settingsRevision: run.settingsRevision }
}

async function settingsOfRun(db: Db, run: Run): Promise<ProjectSettings | undefined> {
  const kept = settingsOfRuns.get(db) ?? new Map<number, ProjectSettings>()
  settingsOfRuns.set(db, kept)
  const known = kept.get(run.id)
  if (known !== undefined) return known
  const settings = await settingsOfRevision(db, run.projectId, run.settingsRevision)
  if (settings === undefined) return undefined
  if (kept.size >= MOST_RUNS_KEPT) kept.clear()
  kept.set(run.id, settings)
  return settings
}

export function runGone(runId: number): ApplicationFailure {
  return ApplicationFailure.nonRetryable(
    `Run ${runId} or its project is gone; it was probably deleted.`,
    'run_gone',
  )
}
