import type { Command } from 'commander'
import { count } from '../match/option-values.ts'
import { outputOption } from '../output.ts'
import { withRun } from './extract-run-argument.ts'
import type { ExtractResumeFlags } from './extract.ts'

/** Defines `extract retry-failed`. */
export function defineExtractRetryFailed(command: Command): void {
  withRun(command)
    .summary('ask again for what failed in an extraction')
    .description(
      'Asks again for the pages and items that failed, and reads afresh a list that could not be believed. Nothing else is asked.',
    )
    .option('--workers <n>', 'with another number of workers than before', count)
    .option('--detach', 'let it go on and return at once')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nAn extraction that was cancelled or broke goes on with "extract resume".\n\nExample:\n  ./record-linker extract retry-failed 3',
    )
    .action(async (run: number, flags: ExtractResumeFlags) => {
      const { retryFailedExtraction } = await import('../extract/retry-failed-extraction.ts')
      await retryFailedExtraction(run, flags)
    })
}
