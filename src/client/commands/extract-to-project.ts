import type { Command } from 'commander'
import { addMappingFlags } from '../mapping/mapping-flags.ts'
import { outputOption } from '../output.ts'
import { withRun } from './extract-run-argument.ts'
import type { NewProjectFlags } from './project.ts'

export type ToProjectFlags = Omit<NewProjectFlags, 'dataset' | 'after' | 'on'>

/** Defines `extract to-project`. */
export function defineExtractToProject(command: Command): void {
  withRun(command)
    .argument('[content-type]', 'which of its content types (default: the only one)')
    .summary('match what an extraction has read')
    .description(
      'Makes a project of the records that a content type became, and prints its number; one that is the same already is taken.',
    )
    .requiredOption(
      '--service <service>',
      'whom to ask: the address of a W3C reconciliation service, "wikidata" or "sample"',
    )
  addMappingFlags(command)
    .option('--title <text>', 'what to call it (default: the name of the dataset)')
    .option('--about <text>', 'what it is, in a sentence')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
The id of an item is the id of its record, so a later extraction changes the same records: new ones are matched
by the next start-match, changed ones anew, and those that the source no longer has are absent.

Examples:
  ./record-linker extract to-project 3 --service wikidata --name title --kind work
  ./record-linker extract to-project 3 users --service http://127.0.0.1:8001 --name '{first_name} {last_name}'`,
    )
    .action(async (run: number, contentType: string | undefined, flags: ToProjectFlags) => {
      const { runExtractToProject } = await import('../extract/run-extract-to-project.ts')
      await runExtractToProject(run, contentType, flags)
    })
}
