import { type Command, InvalidArgumentError } from 'commander'
import { addProjectFlag } from '../known-project.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface EvaluateFlags {
  readonly project: number
  readonly gold: string
  readonly plot?: string
  readonly force?: true
  readonly errors: number
  readonly output: OutputFormat
}

const ERRORS_SHOWN = 10

/** Adds `evaluate`: how good the decisions of a project are, measured against known answers. */
export function register(program: Command): void {
  addProjectFlag(
    program
      .command('evaluate')
      .summary('measure the decisions of a project against known answers')
      .description(
        'Compares the last decisions with a file of right answers; what people judged does not count.',
      ),
  )
    .requiredOption(
      '--gold <file>',
      'columns id and qid; qid NIL, or in_kb 0: no such item; blank: not known',
    )
    .option('--plot <file.svg>', 'draws precision and recall over the threshold')
    .option('--force', 'replace a file that is no picture')
    .option(
      '--errors <n>',
      'records decided otherwise to list, with their features',
      count,
      ERRORS_SHOWN,
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Precision: right automatic matches of all automatic ones; recall: of all records with an item.
Merged items count as what they became part of, once "recheck --gold FILE" has asked for them.

Example: ./record-linker evaluate --project 124 --gold answers.csv --plot curve.svg`,
    )
    .action(async (flags: EvaluateFlags) => {
      const { runEvaluate } = await import('../evaluate/run-evaluate.ts')
      await runEvaluate(flags)
    })
}

function count(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number.')
}
