/** New settings and what follows from them: a revision, and a run that decides again from stored answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { refreshProjects } from '../client/import/refresh-projects.ts'
import { knownProject } from '../client/known-project.ts'
import { isMatchRunning } from '../client/match/reconcile-run.ts'
import type { DecisionThresholds, ProjectSettings } from '../core/project-settings.ts'
import { type Project, reviseSettings, settingsOfRevision } from '../db/projects.repo.ts'
import { ProblemError } from './problem.ts'
import { startRun } from './start-run.ts'
import { currentRun, type WebContext } from './web-context.ts'

/** Of a person's patience. */
const LONGEST_END_MS = 10_000
const LOOK_EVERY_MS = 100

export interface AppliedSettings {
  readonly revision: number
  /** Of the run that decides again; null: nothing was to be decided. */
  readonly temporalRunId: string | null
}

/** @throws ProblemError `run_open`, `review_above_match` */
export async function applyThresholds(
  context: WebContext,
  project: Project,
  thresholds: DecisionThresholds,
): Promise<AppliedSettings> {
  if (thresholds.review > thresholds.match) throw reviewAboveMatch(thresholds)
  return applySettings(context, project, { ...project.settings, thresholds })
}

/**
 * Takes the settings of an earlier revision again, as a new one: what was decided meanwhile can be told from it.
 * @throws ProblemError `run_open`, `unknown_revision`
 */
export async function returnToRevision(
  context: WebContext,
  project: Project,
  revision: number,
): Promise<AppliedSettings> {
  const settings = await settingsOfRevision(context.db, project.id, revision)
  if (settings === undefined) {
    throw new ProblemError(404, {
      code: 'unknown_revision',
      detail: `Project ${project.id} has no settings revision ${revision}.`,
    })
  }
  return applySettings(context, project, settings)
}

async function applySettings(
  context: WebContext,
  { id }: Project,
  settings: ProjectSettings,
): Promise<AppliedSettings> {
  const { db } = context
  const run = await currentRun(context, id)
  if (run?.status === 'open') {
    throw new ProblemError(409, {
      code: 'run_open',
      detail: `Run ${run.number} is going on, and goes on with the settings that it began with.`,
      hint: 'Wait for its end, or cancel it, and apply them then.',
    })
  }
  await untilEnded(await context.temporal(), id)
  const { revision } = (await reviseSettings(db, id, settings)) ?? { revision: 0 }
  await refreshProjects(db, [await knownProject(db, id)])
  const started = await startRun(context, { projectId: id, options: { rescore: true }, key: null })
  const isNothing = started.kind === 'nothing_due'
  return { revision, temporalRunId: isNothing ? null : started.temporalRunId }
}

/**
 * A run says that it is over a moment before its workflow ends, and one that was just started has not said yet that it is
 * there: a start with other settings would be refused, when the settings are written already.
 * @throws ProblemError `run_open`
 */
async function untilEnded(temporal: Client, projectId: number): Promise<void> {
  const untilMs = performance.now() + LONGEST_END_MS
  while (await isMatchRunning(temporal, projectId)) {
    if (performance.now() > untilMs) {
      throw new ProblemError(409, {
        code: 'run_open',
        detail: `A run of project ${projectId} is beginning or ending.`,
        hint: 'Apply them again in a moment.',
      })
    }
    await sleep(LOOK_EVERY_MS)
  }
}

export function reviewAboveMatch({ match, review }: DecisionThresholds): ProblemError {
  return new ProblemError(422, {
    code: 'review_above_match',
    detail: `Review begins at ${review}, which is above a match at ${match}; expected at most that.`,
  })
}
