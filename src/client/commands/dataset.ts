import type { Command } from 'commander'
import { outputOption, type OutputFormat } from '../output.ts'

/** Adds `dataset list|show|delete`. */
export function register(program: Command): void {
  const dataset = program
    .command('dataset')
    .summary('imported records')
    .description('A dataset holds the records of a file; several projects may match it.')
  dataset
    .command('list')
    .description('Lists all datasets.')
    .addOption(outputOption())
    .addHelpText('after', '\nExample: ./record-linker dataset list -o json')
    .action(async ({ output }: { output: OutputFormat }) => {
      const { listAllDatasets } = await import('../datasets/list-all-datasets.ts')
      await listAllDatasets(output)
    })
  dataset
    .command('show')
    .description('Shows columns, format, counts and projects of a dataset.')
    .argument('<name>')
    .addOption(outputOption())
    .addHelpText('after', '\nExample: ./record-linker dataset show brands')
    .action(async (name: string, { output }: { output: OutputFormat }) => {
      const { showDataset } = await import('../datasets/show-dataset.ts')
      await showDataset(name, output)
    })
  dataset
    .command('delete')
    .description('Deletes a dataset that no project uses, with its records.')
    .argument('<name>')
    .option('--yes', 'do not ask')
    .addOption(outputOption())
    .addHelpText('after', '\nExample: ./record-linker dataset delete brands --yes')
    .action(async (name: string, flags: { yes?: true; output: OutputFormat }) => {
      const { removeDataset } = await import('../datasets/remove-dataset.ts')
      await removeDataset(name, flags)
    })
}
