import type { Command } from 'commander'
import { addProjectFlag } from '../known-project.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface WeightsFlags {
  readonly project: number
  readonly output: OutputFormat
}

export interface WeightsFitFlags extends WeightsFlags {
  readonly gold: string
  readonly dryRun?: true
}

/** Adds `weights fit|reset`: what each feature counts, learned from a project's own labelled records. */
export function register(program: Command): void {
  const weights = program
    .command('weights')
    .summary('learn what each feature counts')
    .description('What names, dates, places and identifiers count for, in bits.')
  addProjectFlag(
    weights
      .command('fit')
      .description("Estimates a project's weights from its stored answers and known truths."),
  )
    .requiredOption(
      '--gold <file>',
      'columns id and qid; qid NIL, or in_kb 0: no such item; blank: not known',
    )
    .option('--dry-run', 'only show them')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Keep a part of the known truths back and measure with it: ./record-linker evaluate

Example: ./record-linker weights fit --project 124 --gold half-of-the-answers.csv`,
    )
    .action(async (flags: WeightsFitFlags) => {
      const { runWeightsFit } = await import('../weights/run-weights.ts')
      await runWeightsFit(flags)
    })
  addProjectFlag(weights.command('reset').description('Goes back to the shipped weights.'))
    .addOption(outputOption())
    .addHelpText('after', '\nExample: ./record-linker weights reset --project 123')
    .action(async (flags: WeightsFlags) => {
      const { runWeightsReset } = await import('../weights/run-weights.ts')
      await runWeightsReset(flags)
    })
}
