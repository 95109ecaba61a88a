import type { Command } from 'commander'
import type { PickFlags } from '../failures/failed-pick.ts'
import { addProjectFlag } from '../known-project.ts'
import { outputOption } from '../output.ts'
import { addPickFlags } from './failures.ts'
import type { ProjectFlags } from './match.ts'

export interface RetryFlags extends ProjectFlags, PickFlags {
  readonly detach?: true
}

/** `match retry`, also `retry-failed`. */
export function defineRetry(command: Command): void {
  addPickFlags(addProjectFlag(command))
    .summary('ask again for the records that failed')
    .description(
      'Starts a run that also takes up the records that FAILED; with --code or --entry only those, and nothing else.',
    )
    .option('--detach', 'start it and return at once')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
--entry also takes up a record that was set aside with "skip".

Examples:
  ./record-linker retry-failed --project 123
  ./record-linker retry-failed --project 123 --code domain_unavailable --code timed_out
  ./record-linker retry-failed --project 123 --entry 17 --entry 18`,
    )
    .action(async (flags: RetryFlags) => {
      const { runStart } = await import('../match/run-start.ts')
      const { code, entry, ...start } = flags
      const pick = code === undefined && entry === undefined ? undefined : { code, entry }
      await runStart(start, { retryFailed: true, pick })
    })
}
