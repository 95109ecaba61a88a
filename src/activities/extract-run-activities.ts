import { cancellationSignal } from '@temporalio/activity'
import { SMALLEST_PAGE } from '../core/extract/page-size.ts'
import { contentTypeOf } from '../core/extract/source-profile.ts'
import type { Db } from '../db/connect.ts'
import { isWhole, openTypes } from '../db/extract-checkpoints.repo.ts'
import { typeReports } from '../db/extract-report.repo.ts'
import {
  endExtractRun,
  type ExtractEnding,
  findExtractRun,
  takeUpExtract,
} from '../db/extract-runs.repo.ts'
import { movePause } from '../db/pause-fence.ts'
import type { ExtractRunActivities } from './activity-contracts.ts'
import { extractionClosed, openExtraction } from './extract-guard.ts'
import { withHeartbeat } from './heartbeat.ts'
import { afterOutsideError } from './outside-call.ts'
import { recordSourceExchange } from './record-source-exchange.ts'
import type { SourceDirectory } from './source-directory.ts'
import { withFailures } from './to-failure.ts'

export interface ExtractRunActivityDeps {
  readonly db: Db
  readonly sources: SourceDirectory
  /** Uniform in [0, 1). */
  readonly random: () => number
}

export function createExtractRunActivities(deps: ExtractRunActivityDeps): ExtractRunActivities {
  const { db, sources } = deps
  return {
    openExtract: ({ runId, temporalRunId }) =>
      withFailures(async () => {
        if (!(await takeUpExtract(db, { runId, temporalRunId }))) throw extractionClosed(runId)
        const run = await openExtraction(db, runId)
        const open = await openTypes(db, runId)
        const { workers, queueSize } = run.options.config
        const types = run.types.filter((type) => open.has(type))
        return { source: run.source, types, workers, queueSize, rereads: run.options.rereads }
      }),

    pauseExtract: (move) => withFailures(() => movePause(db, 'extract_run', move)),

    resumeExtract: (move) =>
      withFailures(() => movePause(db, 'extract_run', { ...move, reason: null })),

    checkSource: ({ runId }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const { profile, types } = await openExtraction(db, runId)
          const open = await openTypes(db, runId)
          const name = types.find((type) => open.has(type))
          if (name === undefined) return
          try {
            const place = { position: 0, size: SMALLEST_PAGE, cursor: null }
            await sources.find(profile).fetchPage(contentTypeOf(profile, name), place, {
              signal: cancellationSignal(),
              attempt: 1,
              onExchange: recordSourceExchange(db),
            })
          } catch (error) {
            throw afterOutsideError(deps, error)
          }
        }),
      ),

    closeExtract: ({ runId }) =>
      withFailures(async () => {
        await endExtractRun(db, runId, await endingOf(db, runId))
        const run = await findExtractRun(db, runId)
        if (run === undefined || run.status === 'open') throw extractionClosed(runId)
        return { status: run.status }
      }),

    stopExtract: ({ runId, ...ending }) => withFailures(() => endExtractRun(db, runId, ending)),
  }
}

async function endingOf(db: Db, runId: number): Promise<ExtractEnding> {
  if (await isWhole(db, runId)) return { status: 'completed', code: null, message: null }
  const types = await typeReports(db, runId)
  const [first] = types
  const isNothing = first !== undefined && types.every(({ state }) => state === 'failed')
  return isNothing
    ? { status: 'failed', code: first.code, message: first.message }
    : { status: 'completed_with_errors', code: null, message: null }
}
