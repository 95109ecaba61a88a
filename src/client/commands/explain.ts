import { type Command, InvalidArgumentError } from 'commander'
import { addProjectFlag } from '../known-project.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface ExplainFlags {
  readonly project: number
  readonly entry: string
  readonly candidates: number
  readonly output: OutputFormat
}

const CANDIDATES_SHOWN = 3

/** Adds `explain`: how a record came to its result. */
export function register(program: Command): void {
  addProjectFlag(
    program
      .command('explain')
      .summary('why a record was matched, or not')
      .description(
        'Shows how a record came to its result: what was asked, its candidates side by side with every feature, the rule that decided, and what people said.',
      ),
  )
    .requiredOption('--entry <id>', 'id of the record in its file')
    .option('--candidates <n>', 'candidates side by side, 1 to 5', columns, CANDIDATES_SHOWN)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Reads what is stored; nobody is asked anything. json and jsonl have all the candidates kept, the best five.

Examples:
  ./record-linker explain --project 124 --entry 17
  ./record-linker explain --project 124 --entry 17 -o json | jq .decision.candidates[0].features`,
    )
    .action(async (flags: ExplainFlags) => {
      const { runExplain } = await import('../explain/run-explain.ts')
      await runExplain(flags)
    })
}

function columns(text: string): number {
  if (/^[1-5]$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected 1 to 5.')
}
