import { counted } from '../../core/counted.ts'
import { countDataset, findDataset } from '../../db/datasets.repo.ts'
import { withCommandContext } from '../command-context.ts'
import { formatText } from '../import/table-lines.ts'
import { mappingFileOf } from '../mapping/apply-mapping.ts'
import { type OutputFormat, printAnswer } from '../output.ts'
import { unknownDataset } from './unknown-dataset.ts'

/** The command `dataset show`. */
export async function showDataset(name: string, output: OutputFormat): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const dataset = await findDataset(db, name)
    if (dataset === undefined) throw await unknownDataset(db, name)
    const { id, columns, idColumns, format, importedAt } = dataset
    const mapping = dataset.mapping === null ? null : mappingFileOf(dataset.mapping)
    const { entries: records, absent, projects } = await countDataset(db, id)
    const about = { dataset: name, records, absent, projects }
    const answer = { ...about, columns, idColumns, format, mapping, importedAt }
    printAnswer(output, answer, () =>
      [
        `dataset ${name}: ${counted(records, 'record')}, ${absent} absent`,
        `${formatText(format)}, ${format.encoding}, imported ${importedAt.toISOString()}`,
        `id: ${idColumns.length === 0 ? 'none (row-1, row-2, …)' : idColumns.join(' + ')}`,
        `columns: ${columns.join(', ')}`,
        `projects: ${projects.length === 0 ? 'none' : projects.join(', ')}`,
        ...(mapping === null ? [] : [`mapping: ${JSON.stringify(mapping)}`]),
      ].join('\n'),
    )
  })
}
