import type { Command } from 'commander'
import { outputOption, type OutputFormat } from '../output.ts'

/** Adds `answers prune`. */
export function register(program: Command): void {
  const answers = program
    .command('answers')
    .summary('what services answered')
    .description('Answers of services are kept and used by all projects that ask the same.')
  answers
    .command('prune')
    .description(
      'Forgets the questions and answers that no record asks for any more: of former names and mappings. Deleting a project or dataset does so too.',
    )
    .addOption(outputOption())
    .addHelpText('after', '\nExample: ./record-linker answers prune')
    .action(async ({ output }: { output: OutputFormat }) => {
      const { pruneAnswers } = await import('../answers/prune-answers.ts')
      await pruneAnswers(output)
    })
}
