import { resumedSize } from '../../core/extract/page-size.ts'
import type { ParallelConfig } from '../../core/extract/parallel-config.ts'
import { contentTypeOf } from '../../core/extract/source-profile.ts'
import { extractId } from '../../core/workflow-ids.ts'
import type { Db } from '../../db/connect.ts'
import { findCheckpoint, setPageSize } from '../../db/extract-checkpoints.repo.ts'
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
      if (flags.workers !== undefined || flags.batchSize !== undefined) {
        say('The number of workers and the size of a page stay as they are until it ends.')
      }
    } else {
      const { workers, batchSize } = flags
      const lines = await reopenExtraction(db, run, {
        ...(workers === undefined ? {} : { workers }),
        ...(batchSize === undefined ? {} : { batchSize }),
      })
      for (const line of lines) say(line)
      handle = await beginExtraction(client, runId)
    }
    if (flags.detach === true) {
      await printExtraction(db, await knownExtraction(db, runId), flags.output)
      return
    }
    await followExtraction(context, runId, handle, flags.output)
  })
}

/** What a run that goes on does otherwise than before. */
export type ResumeChanges = Partial<Pick<ParallelConfig, 'workers' | 'batchSize'>>

/**
 * Opens a run that is over.
 * @returns what of the changes it cannot do, in sentences
 * @throws UsageError `nothing_to_resume`, `other_run_open`, `bad_config`
 */
export async function reopenExtraction(
  db: Db,
  run: ExtractRun,
  changes: ResumeChanges = {},
): Promise<readonly string[]> {
  if (run.status === 'completed') {
    throw new UsageError({
      code: 'nothing_to_resume',
      message: `Extraction ${run.id} is complete.`,
      hint: 'To read the source again: ./record-linker extract start --profile FILE --dataset NAME',
    })
  }
  const { config } = run.options
  const { workers = config.workers } = changes
  const queueSize = Math.max(config.queueSize, workers * 10)
  const changed = checkedConfig({ ...config, ...changes, queueSize })
  if (run.status !== 'open' && !(await reopenExtract(db, run.id))) {
    throw new UsageError({
      code: 'other_run_open',
      message: `Another extraction of ${run.source}, or into "${run.dataset}", goes on.`,
      hint: 'See which: ./record-linker extract list',
    })
  }
  await setExtractOptions(db, run.id, { ...run.options, config: changed })
  return changes.batchSize === undefined ? [] : resizePages(db, run, changes.batchSize)
}

async function resizePages(db: Db, run: ExtractRun, wanted: number): Promise<readonly string[]> {
  const lines: string[] = []
  for (const name of run.types) {
    const key = { runId: run.id, type: name }
    const checkpoint = await findCheckpoint(db, key)
    if (checkpoint?.state !== 'open') continue
    const { pageSize: size, pagesDone: pages } = checkpoint
    const next = resumedSize(contentTypeOf(run.profile, name).paginator, { pages, size }, wanted)
    await setPageSize(db, key, next)
    if (next !== wanted) lines.push(`${name} goes on in pages of ${next}: its list was begun so.`)
  }
  return lines
}
