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

/** @throws a final failure when the run or its project is gone: there is nothing left to do. */
export async function loadRunSettings(db: Db, runId: number): Promise<RunSettings> {
  const run = await findRun(db, runId)
  const settings =
    run === undefined
      ? undefined
      : await settingsOfRevision(db, run.projectId, run.settingsRevision)
  if (run === undefined || settings === undefined) {
    throw runGone(runId)
  }
  return { run, settings, settingsRevision: run.settingsRevision }
}

export function runGone(runId: number): ApplicationFailure {
  return ApplicationFailure.nonRetryable(
    `Run ${runId} or its project is gone; it was probably deleted.`,
    'run_gone',
  )
}
