import type { Command } from 'commander'
import { addProjectFlag } from '../known-project.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface RescoreFlags {
  readonly project: number
  readonly dryRun?: true
  readonly detach?: true
  readonly output: OutputFormat
}

/** Defines `match rescore`, which is `rescore` too. */
export function defineRescore(command: Command): void {
  addProjectFlag(command)
    .summary('decide again from stored answers, asking nobody')
    .description(
      'Decides every decided record again with the settings and weights of now, from the answers that are stored.',
    )
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--detach', 'start it and return at once')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
The service is asked nothing. What people judged stays. A match that would go to another item is
for review then, and its reason names both. A record whose questions were never asked keeps what
it has; the next start-match asks them.

Examples:
  ./record-linker rescore --project 123 --dry-run
  ./record-linker rescore --project 123`,
    )
    .action(async (flags: RescoreFlags) => {
      const { runRescore } = await import('../match/run-rescore.ts')
      await runRescore(flags)
    })
}
