import type { Command } from 'commander'
import type { PickFlags } from '../failures/failed-pick.ts'
import { addProjectFlag } from '../known-project.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface FailuresFlags {
  readonly project: number
  readonly output: OutputFormat
}

export interface SkipFlags extends FailuresFlags, PickFlags {
  readonly reason?: string
  readonly by?: string
}

/** Adds `failures` and `skip`. */
export function register(program: Command): void {
  addProjectFlag(
    program
      .command('failures')
      .summary('what failed, by kind, and the way out')
      .description(
        'Groups the failed records of a project by code: how many, an example, what it means and the next command.',
      ),
  )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  ./record-linker failures --project 123
  ./record-linker failures --project 123 -o json | jq '.[] | {code, count}'`,
    )
    .action(async (flags: FailuresFlags) => {
      const { listFailures } = await import('../failures/list-failures.ts')
      await listFailures(flags)
    })
  addPickFlags(
    addProjectFlag(
      program
        .command('skip')
        .summary('set failed records aside')
        .description(
          'Sets failed records aside: they count as skipped, with who, when and why, and no run takes them up again.',
        ),
    ),
  )
    .option('--reason <text>', 'why; shown as match_reason')
    .option('--by <name>', 'who says so (default: your user name)')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
A record whose cells change is due again. "retry-failed --entry ID" takes one up again; the trace of who set it aside stays.

Examples:
  ./record-linker skip --project 123 --entry 17 --reason "not a shop"
  ./record-linker skip --project 123 --code poison`,
    )
    .action(async (flags: SkipFlags) => {
      const { skipFailed } = await import('../failures/skip-failed.ts')
      await skipFailed(flags)
    })
}

/** `--code` and `--entry`, each any number of times. */
export function addPickFlags(command: Command): Command {
  return command
    .option('--code <code...>', 'those that failed with this code; see: failures')
    .option('--entry <id...>', 'the record with this id; with --code, only if it failed so')
}
