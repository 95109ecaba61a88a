import type { Command } from 'commander'
import { pickedStatuses, type PickedStatus } from '../../core/run.ts'
import { outputOption, type OutputFormat } from '../output.ts'
import { addProjectFlag, projectId } from '../known-project.ts'
import { age, count, hours, pickStatuses, wholeNumber } from '../match/option-values.ts'
import { addEndFlags, type EndFlags } from '../match/end-flags.ts'
import { defineDiff } from './match-diff.ts'
import { defineRecheck } from './recheck.ts'
import { defineRescore } from './rescore.ts'
import { defineRetry } from './match-retry.ts'
import { defineSet } from './match-set.ts'

export interface ProjectFlags {
  readonly project: number
  readonly output: OutputFormat
}

export interface StartFlags extends ProjectFlags, EndFlags {
  readonly limit?: number
  readonly sample?: number
  readonly seed?: number
  readonly only?: readonly PickedStatus[]
  readonly entriesPerTask?: number
  readonly maxAttempts?: number
  /** Ms. */
  readonly giveUpAfter?: number
  /** ms */
  readonly refreshOlderThan?: number
  readonly detach?: true
  readonly dryRun?: true
}

export interface CancelFlags extends ProjectFlags {
  readonly detach?: true
}

export interface StatusFlags {
  readonly project?: number
  readonly watch?: true
  readonly wait?: true
  readonly output: OutputFormat
}

/** Adds the group `match` and its short forms `start-match`, `cancel-match`, … */
export function register(program: Command): void {
  const group = program
    .command('match')
    .summary('start, stop and look at matches of a project')
    .description('Finds the item of each record of a project, in a run that outlives this command.')
  defineStart(group.command('start'))
  defineStart(program.command('start-match'))
  defineCancel(group.command('cancel'))
  defineCancel(program.command('cancel-match'))
  definePause(group.command('pause'))
  definePause(program.command('pause-match'))
  defineResume(group.command('resume'))
  defineResume(program.command('resume-match'))
  defineRetry(group.command('retry'))
  defineRetry(program.command('retry-failed'))
  defineSet(group.command('set'))
  defineRescore(group.command('rescore'))
  defineRescore(program.command('rescore'))
  defineDiff(group.command('diff'))
  defineRecheck(group.command('recheck'))
  defineRecheck(program.command('recheck'))
  defineStatus(group.command('status'))
  defineStatus(program.command('status'))
}

function defineStart(command: Command): void {
  addEndFlags(withProject(command))
    .summary('match the records of a project that are due')
    .description(
      'Matches what is due in a project: new, changed and cancelled records, and those decided under older settings.',
    )
    .option('--limit <n>', 'only the first N due records; the run is marked as a sample', count)
    .option('--sample <n>', 'N due records drawn at random; the run is marked as a sample', count)
    .option('--seed <n>', 'which random sample (default: 1)', wholeNumber)
    .option(
      '--only <status...>',
      `only records that stand so, decided ones too: ${pickedStatuses.join(', ')}`,
      pickStatuses,
    )
    .option('--entries-per-task <n>', 'records per child workflow (default: by requests)', count)
    .option(
      '--max-attempts <n>',
      'failed attempts per question before it fails (default: 3)',
      count,
    )
    .option(
      '--give-up-after <hours>',
      'fail records of a service silent so long (default: 24)',
      hours,
    )
    .option(
      '--refresh-older-than <age>',
      'ask again what was answered longer ago: 90d, 12h; 0d is everything',
      age,
    )
    .option('--detach', 'start it and return at once')
    .option(
      '--dry-run',
      'show what would be asked, and what is sent to whom; nothing is sent or written',
    )
    .addHelpText(
      'after',
      `
Examples:
  ./record-linker start-match --project 123
  ./record-linker start-match --project 123 --dry-run
  ./record-linker start-match --project 123 --sample 20
  ./record-linker start-match --project 123 --refresh-older-than 90d
  ./record-linker start-match --project 123 --only no_candidate,review,failed
  ./record-linker start-match --project 123 --detach -o json
  ./record-linker start-match --project 123 --on-end 'jq .outcomes >> matched.log'

Ctrl-C leaves the run going; the same command joins it again. Running it twice asks nothing twice.
Exit code: 0 done, 1 failed, cancelled or paused for you to mend something, 2 wrong usage, 3 some records failed, 4 no server, 130 left running.`,
    )
    .action(async (flags: StartFlags) => {
      const { runStart } = await import('../match/run-start.ts')
      await runStart(flags)
    })
}

function defineCancel(command: Command): void {
  withProject(command)
    .summary('stop a running match; what is decided stays')
    .description(
      'Stops a running match within seconds. Decided records stay; the rest is CANCELLED and due at the next start.',
    )
    .option('--detach', 'ask for it and return at once')
    .addHelpText('after', '\nExample:\n  ./record-linker cancel-match --project 123')
    .action(async (flags: CancelFlags) => {
      const { runCancel } = await import('../match/run-control.ts')
      await runCancel(flags)
    })
}

function definePause(command: Command): void {
  withProject(command)
    .summary('hold a running match; no request is sent until it is resumed')
    .description('Holds a running match: within 5 seconds nothing more is asked.')
    .addHelpText('after', '\nExample:\n  ./record-linker pause-match --project 123')
    .action(async (flags: ProjectFlags) => {
      const { runPause } = await import('../match/run-control.ts')
      await runPause(flags)
    })
}

function defineResume(command: Command): void {
  withProject(command)
    .summary('let a paused match go on')
    .description(
      'Lets a paused match go on. If the service had turned it away, one request finds out whether it may.',
    )
    .addHelpText('after', '\nExample:\n  ./record-linker resume-match --project 123')
    .action(async (flags: ProjectFlags) => {
      const { runResume } = await import('../match/run-control.ts')
      await runResume(flags)
    })
}

function defineStatus(command: Command): void {
  command
    .summary('how a project, or all of them, stand')
    .description('Shows how a project stands: its records, its run, and what the run waits for.')
    .option('--project <id>', 'number of the project (default: a list of all)', projectId)
    .option('--watch', 'follow the running match until it ends')
    .option('--wait', 'like --watch without progress; exit code as of start-match, for cron')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  ./record-linker status\n  ./record-linker status --project 123 --watch',
    )
    .action(async (flags: StatusFlags) => {
      const { runStatus } = await import('../match/run-status.ts')
      await runStatus(flags)
    })
}

function withProject(command: Command): Command {
  return addProjectFlag(command).addOption(outputOption())
}
