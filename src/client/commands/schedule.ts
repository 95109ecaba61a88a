import { type Command, InvalidArgumentError } from 'commander'
import { pickedStatuses, type PickedStatus } from '../../core/run.ts'
import { addProjectFlag } from '../known-project.ts'
import { addEndFlags, type EndFlags } from '../match/end-flags.ts'
import { age, pickStatuses } from '../match/option-values.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface ScheduleFlags {
  readonly project: number
  readonly output: OutputFormat
}

export interface SetScheduleFlags extends ScheduleFlags, EndFlags {
  readonly cron: string
  readonly timeZone?: string
  readonly only?: readonly PickedStatus[]
  readonly retryFailed?: true
  /** ms */
  readonly refreshOlderThan?: number
}

/** Adds `schedule` with `set` (the default), `list`, `pause`, `resume` and `remove`. */
export function register(program: Command): void {
  const group = program
    .command('schedule')
    .summary('match a project again and again, by the clock')
    .description(
      'Starts the match of a project at set times. It joins a run that is going on, so there is never a second one.',
    )
  defineSet(group)
  group
    .command('list')
    .summary('all schedules: when they fire next, what came of the last time')
    .addOption(outputOption())
    .addHelpText('after', '\nExample:\n  ./record-linker schedule list')
    .action(async (flags: Pick<ScheduleFlags, 'output'>) => {
      const { listAllSchedules } = await import('../schedules/list-all-schedules.ts')
      await listAllSchedules(flags.output)
    })
  define(group, 'pause', 'fire no more until it is resumed; what is missed is not made up for')
  define(group, 'resume', 'let a paused schedule go on')
  define(group, 'remove', 'remove the schedule of a project; a run that is going on goes on')
}

function defineSet(group: Command): void {
  const set = group.command('set', { isDefault: true })
  addEndFlags(addProjectFlag(set))
    .summary('make or change the schedule of a project')
    .description('Makes the schedule of a project, or changes the one it has.')
    .requiredOption('--cron <times>', 'minute hour day-of-month month day-of-week', cron)
    .option('--time-zone <name>', 'such as Europe/Amsterdam (default: that of this machine)', zone)
    .option(
      '--refresh-older-than <age>',
      'ask again what was answered longer ago: 90d, 12h; 0d is everything',
      age,
    )
    .option(
      '--only <status...>',
      `only records that stand so, decided ones too: ${pickedStatuses.join(', ')}`,
      pickStatuses,
    )
    .option('--retry-failed', 'also take up what failed')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
A time when no server ran is made up for within a day, once. The embedded servers stay up as long as a schedule is active;
after a restart of the machine they start with the next command, or with "./record-linker up".

Examples:
  ./record-linker schedule --project 123 --cron "0 3 * * *"
  ./record-linker schedule --project 123 --cron "0 6 * * MON" --time-zone Europe/Amsterdam --refresh-older-than 30d
  ./record-linker schedule --project 123 --cron "0 3 * * *" --retry-failed --webhook http://127.0.0.1:9000/matched
  ./record-linker schedule list`,
    )
    .action(async (flags: SetScheduleFlags) => {
      const { setSchedule } = await import('../schedules/set-schedule.ts')
      await setSchedule(flags)
    })
}

function define(group: Command, change: 'pause' | 'resume' | 'remove', summary: string): void {
  addProjectFlag(group.command(change))
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .addOption(outputOption())
    .addHelpText('after', `\nExample:\n  ./record-linker schedule ${change} --project 123`)
    .action(async (flags: ScheduleFlags) => {
      const { controlSchedule } = await import('../schedules/control-schedule.ts')
      await controlSchedule(flags, change)
    })
}

function cron(text: string): string {
  const fields = text.trim().split(/\s+/)
  // With a zone of its own it would not be the one that is shown.
  if (fields.length >= 5 && fields.length <= 7 && !text.includes('=')) return fields.join(' ')
  throw new InvalidArgumentError(
    'expected five fields: minute hour day-of-month month day-of-week, such as "0 3 * * *"',
  )
}

function zone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    throw new InvalidArgumentError('expected the name of a time zone, such as Europe/Amsterdam')
  }
}
