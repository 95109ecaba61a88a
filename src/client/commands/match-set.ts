import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  isWindow,
  LARGEST_WEIGHT,
  LARGEST_WINDOW,
  runPriorities,
  type RunPriority,
} from '../../core/pace.ts'
import { addProjectFlag } from '../known-project.ts'
import { outputOption } from '../output.ts'
import type { ProjectFlags } from './match.ts'

export interface SetPaceFlags extends ProjectFlags {
  readonly window?: number | 'default'
  readonly priority?: RunPriority
  readonly weight?: number
}

/** `match set`. */
export function defineSet(command: Command): void {
  addProjectFlag(command)
    .summary('how fast a match goes against others, also while it runs')
    .description(
      'Changes how much of a match is in flight and how it shares a busy service with other projects; shows it without an option. A running match follows within seconds, later ones begin so. No record becomes due by it.',
    )
    .option('--window <n>', `tasks in flight, 1 to ${LARGEST_WINDOW}, or "default"`, windowOf)
    .addOption(
      new Option('--priority <level>', 'who goes first where not all can').choices(runPriorities),
    )
    .option(
      '--weight <n>',
      `share against other projects of the same priority, above 0, up to ${LARGEST_WEIGHT}`,
      weightOf,
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Two projects with the weights 3 and 1 that ask the same service get 3 and 1 of 4 requests. A higher priority goes first,
and leaves a tenth to each lower one. How fast a service is asked at all: ./record-linker limits.

Examples:
  ./record-linker match set --project 123
  ./record-linker match set --project 123 --window 50 --priority high
  ./record-linker match set --project 124 --weight 3
  ./record-linker match set --project 123 --window default --priority normal --weight 1`,
    )
    .action(async (flags: SetPaceFlags) => {
      const { runSetPace } = await import('../match/run-set-pace.ts')
      await runSetPace(flags)
    })
}

function windowOf(text: string): number | 'default' {
  if (text === 'default') return text
  const window = Number(text)
  if (/^\d+$/.test(text) && isWindow(window)) return window
  throw new InvalidArgumentError(`expected 1 to ${LARGEST_WINDOW}, or "default"`)
}

function weightOf(text: string): number {
  const weight = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && weight > 0 && weight <= LARGEST_WEIGHT) return weight
  throw new InvalidArgumentError(`expected a number above 0, up to ${LARGEST_WEIGHT}`)
}
