import type { Client } from '@temporalio/client'
import { matchProjectId } from '../../core/workflow-ids.ts'
import type { Db } from '../../db/connect.ts'
import { closeRun, findRun, latestRun, type Run } from '../../db/runs.repo.ts'
import { firstRunId } from './first-run-id.ts'
import { isNotFound } from './is-not-found.ts'
import { runningExecution } from './running-execution.ts'

/**
 * The latest run of a project, with an open row that Temporal knows to be over closed (terminated by hand, timed out,
 * lost with its server). What it left queued is taken up by the next start.
 * @param client null: Temporal is not asked, as where no run is open
 */
export async function reconciledRun(
  client: Client | null,
  db: Db,
  projectId: number,
): Promise<Run | undefined> {
  const run = await latestRun(db, projectId)
  if (client === null || run?.status !== 'open') return run
  const end = await endOf(client, run)
  if (end === null) return run
  await closeRun(db, run.id, end)
  return findRun(db, run.id)
}

/** Whether a match of the project runs, its row opened or not yet. */
export async function isMatchRunning(client: Client, projectId: number): Promise<boolean> {
  return (await runningExecution(client, matchProjectId(projectId))) !== undefined
}

async function endOf(client: Client, run: Run): Promise<Parameters<typeof closeRun>[2] | null> {
  try {
    const description = await client.workflow.getHandle(run.workflowId).describe()
    const first = firstRunId(description)
    if (first !== run.temporalRunId) return terminated('Another execution took its place.')
    const status = description.status.name
    if (status === 'RUNNING' || status === 'CONTINUED_AS_NEW' || status === 'PAUSED') return null
    // A workflow closes its run before it ends, so this one was stopped from outside or broke.
    return status === 'FAILED'
      ? { status: 'failed', errorCode: 'workflow_failed', errorMessage: 'The workflow failed.' }
      : terminated(`The workflow ended (${status.toLowerCase()}) without closing its run.`)
  } catch (error) {
    if (await isNotFound(error)) {
      return terminated('Temporal no longer knows the workflow.')
    }
    throw error
  }
}

function terminated(errorMessage: string): Parameters<typeof closeRun>[2] {
  return { status: 'terminated', errorCode: 'terminated', errorMessage }
}
