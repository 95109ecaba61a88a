import { listExtractRuns } from '../../db/extract-runs.repo.ts'
import { UsageError } from '../../errors.ts'
import { extractId } from '../../core/workflow-ids.ts'
import type { extractSource } from '../../workflows/extract-source.ts'
import type { ExtractStatusFlags } from '../commands/extract.ts'
import { withMatchContext } from '../match/match-context.ts'
import { printExtraction } from './extraction-report.ts'
import { followExtraction } from './follow-extraction.ts'
import { reconciledExtraction } from './reconcile-extraction.ts'

/** The command `extract status`. @param wanted undefined: the last one */
export async function runExtractStatus(
  wanted: number | undefined,
  flags: ExtractStatusFlags,
): Promise<void> {
  await withMatchContext(async (context) => {
    const { client, db } = context
    const runId = wanted ?? (await listExtractRuns(db, 1))[0]?.id
    if (runId === undefined) {
      throw new UsageError({
        code: 'no_extraction',
        message: 'Nothing was extracted yet.',
        hint: 'How to begin: ./record-linker extract start --help',
      })
    }
    const run = await reconciledExtraction(client, db, runId)
    if (flags.watch === true && run.status === 'open') {
      const handle = client.workflow.getHandle<typeof extractSource>(extractId(runId))
      return followExtraction(context, runId, handle, flags.output)
    }
    await printExtraction(db, run, flags.output)
  })
}
