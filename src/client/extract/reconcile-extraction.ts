import type { Client } from '@temporalio/client'
import { extractId } from '../../core/workflow-ids.ts'
import type { Db } from '../../db/connect.ts'
import {
  endExtractRun,
  type ExtractEnding,
  type ExtractRun,
  findExtractRun,
} from '../../db/extract-runs.repo.ts'
import { UsageError } from '../../errors.ts'
import { firstRunId } from '../match/first-run-id.ts'
import { isNotFound } from '../match/is-not-found.ts'

/**
 * A run, with an open row that Temporal knows to be over closed: terminated by hand, or lost with its server.
 * @throws UsageError `unknown_extraction`
 */
export async function reconciledExtraction(
  client: Client,
  db: Db,
  runId: number,
): Promise<ExtractRun> {
  const run = await knownExtraction(db, runId)
  // One that no execution has taken up yet is begun by the next start or resume.
  if (run.status !== 'open' || run.temporalRunId === null) return run
  const ending = await endingOf(client, run)
  if (ending === null) return run
  await endExtractRun(db, run.id, ending)
  return knownExtraction(db, runId)
}

/** @throws UsageError `unknown_extraction` */
export async function knownExtraction(db: Db, runId: number): Promise<ExtractRun> {
  const run = await findExtractRun(db, runId)
  if (run !== undefined) return run
  throw new UsageError({
    code: 'unknown_extraction',
    message: `There is no extraction ${runId}.`,
    hint: 'See which there are: ./record-linker extract list',
  })
}

async function endingOf(client: Client, run: ExtractRun): Promise<ExtractEnding | null> {
  try {
    const description = await client.workflow.getHandle(extractId(run.id)).describe()
    const { name } = description.status
    if (firstRunId(description) !== run.temporalRunId) {
      return terminated('Another execution took its place.')
    }
    if (name === 'RUNNING' || name === 'CONTINUED_AS_NEW' || name === 'PAUSED') return null
    // A workflow closes its run before it ends, so this one was stopped from outside or broke.
    return name === 'FAILED'
      ? { status: 'failed', code: 'workflow_failed', message: 'The workflow failed.' }
      : terminated(`The workflow ended (${name.toLowerCase()}) without closing its run.`)
  } catch (error) {
    if (await isNotFound(error)) {
      return terminated('Temporal no longer knows the workflow.')
    }
    throw error
  }
}

function terminated(message: string): ExtractEnding {
  return { status: 'terminated', code: 'terminated', message }
}
