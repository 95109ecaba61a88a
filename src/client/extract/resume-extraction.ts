import { extractId } from '../../core/workflow-ids.ts'
import type { Db } from '../../db/connect.ts'
import { type ExtractRun, setExtractOptions } from '../../db/extract-runs.repo.ts'
import { reopenExtract } from '../../db/reopen-extract.ts'
import { UsageError } from '../../errors.ts'
import type { extractSource } from '../../workflows/extract-source.ts'
import { resumeSignal } from '../../workflows/messages.ts'
import type { ExtractResumeFlags } from '../commands/extract.ts'
import { withMatchContext } from '../match/match-context.ts'
import { say } from '../output.ts'
import { toRunning, untilSeen } from './control-extraction.ts'
import { checkedConfig } from './extract-options.ts'
import { printExtraction } from './extraction-report.ts'
import { followExtraction } from './follow-extraction.ts'
import { knownExtraction, reconciledExtraction } from './reconcile-extraction.ts'
import { beginExtraction } from './start-extraction.ts'

/** The command `extract resume`: one that is paused goes on; one that ended early is opened again. */
export async function resumeExtraction(runId: number, flags: ExtractResumeFlags): Promise<void> {
  await withMatchContext(async (context) => {
    const { client, db } = context
    const run = await reconciledExtraction(client, db, runId)
    let handle = client.workflow.getHandle<typeof extractSource>(extractId(runId))
    if (run.status === 'open' && run.temporalRunId !== null) {
      if (run.pausedReason === null) say('It is not paused.')
      await toRunning(runId, handle.signal(resumeSignal))
      await untilSeen(client, db, runId, (seen) => seen.pausedReason === null)
      if (flags.workers !== undefined) say('The number of workers stays as it is until it ends.')
    } else {
      await reopenExtraction(db, run, flags.workers)
      handle = await beginExtraction(client, runId)
    }
    if (flags.detach === true) {
      await printExtraction(db, await knownExtraction(db, runId), flags.output)
      return
    }
    await followExtraction(context, runId, handle, flags.output)
  })
}

/**
 * Opens a run that is over, with another number of workers where one is given.
 * @throws UsageError `nothing_to_resume`, `other_run_open`, `bad_config`
 */
export async function reopenExtraction(
  db: Db,
  run: ExtractRun,
  workers: number | undefined,
): Promise<void> {
  if (run.status === 'completed') {
    throw new UsageError({
      code: 'nothing_to_resume',
      message: `Extraction ${run.id} is complete.`,
      hint: 'To read the source again: ./record-linker extract start --profile FILE --dataset NAME',
    })
  }
  const { config } = run.options
  const changed =
    workers === undefined
      ? config
      : checkedConfig({
          ...config,
          workers,
          queueSize: Math.max(config.queueSize, workers * 10),
        })
  if (run.status !== 'open' && !(await reopenExtract(db, run.id))) {
    throw new UsageError({
      code: 'other_run_open',
      message: `Another extraction of ${run.source}, or into "${run.dataset}", goes on.`,
      hint: 'See which: ./record-linker extract list',
    })
  }
  if (workers !== undefined)
    await setExtractOptions(db, run.id, { ...run.options, config: changed })
}
