import { countDataset, listDatasets } from '../../db/datasets.repo.ts'
import { withCommandContext } from '../command-context.ts'
import { type OutputFormat, printAnswer, tableText } from '../output.ts'

/** The command `dataset list`. */
export async function listAllDatasets(output: OutputFormat): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const datasets = await listDatasets(db)
    const rows = await Promise.all(
      datasets.map(async ({ id, name, columns, importedAt }) => {
        const { entries, absent, projects } = await countDataset(db, id)
        return { dataset: name, records: entries, absent, projects, columns, importedAt }
      }),
    )
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
