import { matchProjectId } from '../core/workflow-ids.ts'
import { firstRunId } from '../client/match/first-run-id.ts'
import { reconciledRun } from '../client/match/reconcile-run.ts'
import { findRunOfProject, type Run } from '../db/runs.repo.ts'
import { UnavailableError, UsageError } from '../errors.ts'
import type { WebContext } from './web-context.ts'

/**
 * A run by its number or id. An open one is looked at in Temporal first, and told as it is written while that is away.
 * @returns `starting`: its workflow runs and has not written its row yet
 * @throws UsageError `unknown_run`
 */
export async function knownRun(
  context: WebContext,
  projectId: number,
  name: string,
): Promise<Run | 'starting'> {
  const { db } = context
  const run = await findRunOfProject(db, projectId, name)
  if (run === undefined) {
    if (name.includes('-') && (await isStarting(context, projectId, name))) return 'starting'
    throw new UsageError({
      code: 'unknown_run',
      message: `Project ${projectId} has no run ${name}.`,
      hint: `See which there are: GET /projects/${projectId}/runs`,
    })
  }
  if (run.status !== 'open') return run
  try {
    const latest = await reconciledRun(await context.temporal(), db, projectId)
    return latest?.id === run.id ? latest : run
  } catch (error) {
    if (error instanceof UnavailableError) return run
    throw error
  }
}

async function isStarting(context: WebContext, projectId: number, id: string): Promise<boolean> {
  const client = await context.temporal()
  try {
    const description = await client.workflow.getHandle(matchProjectId(projectId)).describe()
    return description.status.name === 'RUNNING' && firstRunId(description) === id
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return false
    throw error
  }
}
