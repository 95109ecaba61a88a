import type { Command } from 'commander'
import { outputOption, type OutputFormat } from '../output.ts'
import { runNumber, words } from './extract-run-argument.ts'

/** Defines `extract diff`. */
export function defineExtractDiff(command: Command): void {
  command
    .summary('what changed in the source between two extractions')
    .description(
      'Compares what two extractions of a source have kept: items that came, changed and went.',
    )
    .argument('<earlier>', 'number of an extraction; see: extract list', runNumber)
    .argument('<later>', 'likewise', runNumber)
    .option(
      '--type <types...>',
      'only these content types (default: all that both have read)',
      words,
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
By content, and of each type. Text shows the first ten of each kind, json and jsonl all of them, with the
fields that differ. It compares what came from the source; which records that changed: extract status.

Examples:
  ./record-linker extract diff 1 2
  ./record-linker extract diff 1 2 --type users -o jsonl | jq -r 'select(.kind == "removed").id'`,
    )
    .action(
      async (
        earlier: number,
        later: number,
        flags: { readonly type?: readonly string[]; readonly output: OutputFormat },
      ) => {
        const { runExtractDiff } = await import('../extract/run-extract-diff.ts')
        await runExtractDiff(earlier, later, flags)
      },
    )
}
