import { type Command, InvalidArgumentError } from 'commander'
import { pickedStatuses, type PickedStatus } from '../../core/run.ts'
import { outputOption, type OutputFormat } from '../output.ts'
import { addProjectFlag, projectId } from '../known-project.ts'
import { parseAge } from '../match/answer-age.ts'
import { defineDiff } from './match-diff.ts'
import { defineRecheck } from './recheck.ts'
import { defineRescore } from './rescore.ts'

export interface ProjectFlags {
  readonly project: number
  readonly output: OutputFormat
}

export interface StartFlags extends ProjectFlags {
  readonly limit?: number
  readonly sample?: number
  readonly seed?: number
  readonly only?: readonly PickedStatus[]
  readonly entriesPerTask?: number
  readonly maxAttempts?: number
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
  defineRescore(group.command('rescore'))
  defineRescore(program.command('rescore'))
  defineDiff(group.command('diff'))
  defineRecheck(group.command('recheck'))
  defineRecheck(program.command('recheck'))
  defineStatus(group.command('status'))
  defineStatus(program.command('status'))
}

function defineStart(command: Command): void {
  withProject(command)
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

Ctrl-C leaves the run going; the same command joins it again. Running it twice asks nothing twice.
Exit code: 0 done, 1 failed or cancelled, 2 wrong usage, 3 some records failed, 4 no server, 130 left running.`,
    )
    .action(async (flags: StartFlags) => {
      const { runStart } = await import('../match/run-start.ts')
      await runStart(flags)
    })
}

function defineRetry(command: Command): void {
  withProject(command)
    .summary('ask again for the records that failed')
    .description('Starts a run that also takes up the records that FAILED.')
    .option('--detach', 'start it and return at once')
    .addHelpText('after', '\nExample:\n  ./record-linker retry-failed --project 123')
    .action(async (flags: StartFlags) => {
      const { runStart } = await import('../match/run-start.ts')
      await runStart(flags, { retryFailed: true })
    })
}

function defineCancel(command: Command): void {
  withProject(command)
    .summary('stop a running match; what is decided stays')
    .description(
      'Stops a running match within seconds. Decided records stay; the rest is CANCELLED and due at the next start.',
    )
    .option('--detach', 'ask for it and return at once')
    .addHelpText('after', '\nExample:\n  ./record-linker match cancel --project 123')
    .action(async (flags: CancelFlags) => {
      const { runCancel } = await import('../match/run-control.ts')
      await runCancel(flags)
    })
}

function definePause(command: Command): void {
  withProject(command)
    .summary('hold a running match; no request is sent until it is resumed')
    .description('Holds a running match: within 5 seconds nothing more is asked.')
    .addHelpText('after', '\nExample:\n  ./record-linker match pause --project 123')
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
    .addHelpText('after', '\nExample:\n  ./record-linker match resume --project 123')
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

function pickStatuses(text: string, before: readonly PickedStatus[] = []): readonly PickedStatus[] {
  const picked = text.split(',').map((part) => {
    const status = pickedStatuses.find((one) => one === part.trim())
    if (status !== undefined) return status
    throw new InvalidArgumentError(`expected some of: ${pickedStatuses.join(', ')}`)
  })
  // In one order: two starts that pick the same are the same run.
  return pickedStatuses.filter((status) => before.includes(status) || picked.includes(status))
}

function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number above 0')
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number')
}

function age(text: string): number {
  const ms = parseAge(text)
  if (ms !== undefined) return ms
  throw new InvalidArgumentError('expected a number and a unit of s, m, h, d or w, such as 90d')
}

function hours(text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0 && value <= 8760) return value
  throw new InvalidArgumentError('expected hours, above 0, up to 8760')
}
