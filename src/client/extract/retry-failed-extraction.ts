import { UsageError } from '../../errors.ts'
import type { ExtractResumeFlags } from '../commands/extract.ts'
import { withMatchContext } from '../match/match-context.ts'
import { say } from '../output.ts'
import { printExtraction } from './extraction-report.ts'
import { reconciledExtraction } from './reconcile-extraction.ts'
import { resumeExtraction } from './resume-extraction.ts'

/** The command `extract retry-failed`. @throws UsageError `run_open`, `ended_early` */
export async function retryFailedExtraction(
  runId: number,
  flags: ExtractResumeFlags,
): Promise<void> {
  const hasFailed = await withMatchContext(async ({ client, db }) => {
    const run = await reconciledExtraction(client, db, runId)
    if (run.status === 'completed_with_errors') return true
    if (run.status !== 'completed') {
      const isOpen = run.status === 'open'
      throw new UsageError({
        code: isOpen ? 'run_open' : 'ended_early',
        message: isOpen
          ? `Extraction ${runId} goes on; what fails is asked again once it has ended.`
          : `Extraction ${runId} was not read to its end (${run.status}); expected one that was, with errors.`,
        hint: isOpen
          ? `Follow it: ./record-linker extract status ${runId} --watch`
          : `Let it go on, what failed included: ./record-linker extract resume ${runId}`,
      })
    }
    say(`Nothing of extraction ${runId} failed.`)
    await printExtraction(db, run, flags.output)
    return false
  })
  if (hasFailed) await resumeExtraction(runId, flags)
}
