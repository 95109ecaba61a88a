import type { Command } from 'commander'
import { addProjectFlag, projectId } from '../known-project.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface SuggestTypeFlags {
  readonly project: number
  readonly output: OutputFormat
}

export interface SuggestPropertyFlags {
  readonly project?: number
  readonly service?: string
  readonly output: OutputFormat
}

/** Adds `suggest type|property`. */
export function register(program: Command): void {
  const suggest = program
    .command('suggest')
    .summary('which type and properties to ask for')
    .description('Finds what to give to --type and --property.')
  addProjectFlag(
    suggest
      .command('type')
      .description(
        'Asks for ten names of a project at random and ranks the types of what is found.',
      ),
  )
    .addOption(outputOption())
    .addHelpText('after', '\nExample: ./record-linker suggest type --project 124')
    .action(async (flags: SuggestTypeFlags) => {
      const { runSuggestType } = await import('../suggest/run-suggest.ts')
      await runSuggestType(flags)
    })
  suggest
    .command('property')
    .description('Finds the id of a property by its name; without a service among well-known ones.')
    .argument('<text>', "what it is called, such as 'birth date'")
    .option('--project <id>', 'ask the service of this project', projectId)
    .option('--service <service>', 'ask this one: an address, or "sample"')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  ./record-linker suggest property 'birth date'
  ./record-linker suggest property viaf --project 124 -o json`,
    )
    .action(async (text: string, flags: SuggestPropertyFlags) => {
      const { runSuggestProperty } = await import('../suggest/run-suggest.ts')
      await runSuggestProperty(text, flags)
    })
}
