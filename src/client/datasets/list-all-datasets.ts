import { withCommandContext } from '../command-context.ts'
import { type OutputFormat, printAnswer, tableText } from '../output.ts'
import { datasetRows } from './dataset-rows.ts'

/** The command `dataset list`. */
export async function listAllDatasets(output: OutputFormat): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const rows = await datasetRows(db)
    printAnswer(output, rows, () =>
      tableText(
        ['dataset', 'records', 'absent', 'columns', 'projects', 'imported'],
        rows.map(({ dataset, records, absent, projects, columns, importedAt }) => {
          const day = importedAt.toISOString().slice(0, 16).replace('T', ' ')
          return [dataset, records, absent, columns.length, projects.join(', '), day]
        }),
      ),
    )
  })
}
