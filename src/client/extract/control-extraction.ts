import type { Client } from '@temporalio/client'
import { PAUSED_BY_USER } from '../../core/run-progress.ts'
import { extractId } from '../../core/workflow-ids.ts'
import type { Db } from '../../db/connect.ts'
import { type ExtractRun, noteExtractCancel } from '../../db/extract-runs.repo.ts'
import { UsageError } from '../../errors.ts'
import type { extractSource } from '../../workflows/extract-source.ts'
import { pauseSignal } from '../../workflows/messages.ts'
import type { ExtractCancelFlags } from '../commands/extract.ts'
import { exitCodes } from '../exit-codes.ts'
import { type MatchContext, withMatchContext } from '../match/match-context.ts'
import { type EndingWorkflow, runEnd } from '../match/run-end.ts'
import { runningExecution } from '../match/running-execution.ts'
import { type OutputFormat, printAnswer, say } from '../output.ts'
import { printExtraction } from './extraction-report.ts'
import { reconciledExtraction } from './reconcile-extraction.ts'
import { isNotFound } from '../match/is-not-found.ts'

const POLL_MS = 200
/** How long a pause or resume may take to be seen in the run row. */
const SEEN_WITHIN_MS = 30_000

/** The command `extract cancel`. */
export async function cancelExtraction(runId: number, flags: ExtractCancelFlags): Promise<void> {
  await withMatchContext(async (context) => {
    const { client, db } = context
    const handle = await askToCancelExtraction(context, runId)
    if (flags.detach === true) {
      printAnswer(
        flags.output,
        { run: runId, status: 'cancelling' },
        () => `Extraction ${runId}: cancelling.`,
      )
      return
    }
    say('Cancelling: running calls are ended, stored pages stay …')
    await runEnd(context, handle, say)
    const run = await reconciledExtraction(client, db, runId)
    await printExtraction(db, run, flags.output)
    // It was asked for, so it is not a failure here.
    if (run.status === 'cancelled') process.exitCode = exitCodes.done
  })
}

/**
 * Asks a running extraction to stop; what is stored stays. Returns before it has.
 * @throws UsageError `no_open_run`
 */
export async function askToCancelExtraction(
  { client, db }: Pick<MatchContext, 'client' | 'db'>,
  runId: number,
): Promise<EndingWorkflow> {
  await openOne(client, db, runId)
  const running = await runningExecution<typeof extractSource>(client, extractId(runId))
  if (running === undefined) throw notOpen(runId)
  await toRunning(runId, running.cancel())
  await noteExtractCancel(db, { runId, temporalRunId: running.firstRunId })
  return running.handle
}

/** The command `extract pause`. */
export async function pauseExtraction(
  runId: number,
  flags: { readonly output: OutputFormat },
): Promise<void> {
  await withMatchContext(async ({ client, db }) => {
    await openOne(client, db, runId)
    const handle = client.workflow.getHandle(extractId(runId))
    await toRunning(runId, handle.signal(pauseSignal, { reason: PAUSED_BY_USER }))
    const run = await untilSeen(client, db, runId, (seen) => seen.pausedReason !== null)
    await printExtraction(db, run, flags.output)
    if (run.pausedReason === null) process.exitCode = exitCodes.failed
  })
}

/** Waits until the run row shows it, the run has ended, or it takes too long; then says how the run stands. */
export async function untilSeen(
  client: Client,
  db: Db,
  runId: number,
  seen: (run: ExtractRun) => boolean,
): Promise<ExtractRun> {
  const deadlineMs = Date.now() + SEEN_WITHIN_MS
  for (;;) {
    const run = await reconciledExtraction(client, db, runId)
    if (run.status !== 'open' || seen(run) || Date.now() > deadlineMs) return run
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** @throws UsageError `no_open_run` when Temporal knows no running extraction to tell it to. */
export async function toRunning(runId: number, message: Promise<unknown>): Promise<void> {
  try {
    await message
  } catch (error) {
    if (await isNotFound(error)) throw notOpen(runId)
    throw error
  }
}

async function openOne(client: Client, db: Db, runId: number): Promise<void> {
  const { status } = await reconciledExtraction(client, db, runId)
  if (status !== 'open') throw notOpen(runId)
}

function notOpen(runId: number): UsageError {
  return new UsageError({
    code: 'no_open_run',
    message: `Extraction ${runId} is not running.`,
    hint: `How it stands: ./record-linker extract status ${runId}`,
  })
}
