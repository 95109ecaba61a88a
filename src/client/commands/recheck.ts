import type { Command } from 'commander'
import { addProjectFlag } from '../known-project.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface RecheckFlags {
  readonly project: number
  readonly gold?: string
  readonly stop?: true
  readonly output: OutputFormat
}

/** Defines `match recheck`, which is `recheck` too. */
export function defineRecheck(command: Command): void {
  addProjectFlag(command)
    .summary('find matched items that were merged or deleted since')
    .description(
      'Asks the service for every item that the records are matched with, by its id, and lists those that became part of another or are no longer there.',
    )
    .option('--gold <file>', 'ask for the items of a gold file too, before evaluate')
    .option('--stop', 'stop a recheck that goes on; what is found out stays')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
No match is changed. A judgment about an item that is merged or gone becomes stale, as "status",
"match diff" and exports say, until somebody judges the record again. What is found is kept, so
"match diff" and "evaluate" know which item became which.
A service that finds no item by its id cannot tell, and that is said.
Ctrl-C leaves it going; the same command joins it again.
Exit code: 0 done, 1 failed or cannot tell, 3 some items could not be asked, 4 no server, 130 left running.

Examples:
  ./record-linker recheck --project 123
  ./record-linker recheck --project 123 --gold answers.csv
  ./record-linker recheck --project 123 -o json | jq '.records[] | select(.state == "merged")'`,
    )
    .action(async (flags: RecheckFlags) => {
      const { runRecheck } = await import('../recheck/run-recheck.ts')
      await runRecheck(flags)
    })
}
