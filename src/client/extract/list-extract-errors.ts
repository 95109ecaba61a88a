import { pageTraceId } from '../../core/trace-place.ts'
import { extractErrors } from '../../db/extract-report.repo.ts'
import { sha256Hex } from '../../db/sha256.ts'
import { withCommandContext } from '../command-context.ts'
import { type OutputFormat, printAnswer, say, tableText } from '../output.ts'
import { knownExtraction } from './reconcile-extraction.ts'

/** The command `extract errors`. */
export async function listExtractErrors(
  runId: number,
  flags: { readonly limit: number; readonly output: OutputFormat },
): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const run = await knownExtraction(db, runId)
    const errors = await extractErrors(db, runId, flags.limit)
    const traced = errors.map(({ position, ...error }) => ({
      ...error,
      position,
      trace_id:
        position === null ? null : pageTraceId(run, { type: error.type, position }, sha256Hex),
    }))
    printAnswer(flags.output, traced, () =>
      errors.length === 0
        ? `Nothing of extraction ${runId} failed.`
        : tableText(
            ['type', 'item', 'page at', 'attempts', 'worker', 'code', 'message'],
            errors.map(({ type, item, position, attempt, worker, code, message }) => [
              type,
              item,
              position,
              attempt,
              worker,
              code,
              message,
            ]),
          ),
    )
    if (errors.length > 0) say(`Try them again: ./record-linker extract resume ${runId}`)
  })
}
