/**
 * `import --dry-run`. Without a target only the file is looked at, which needs no database. With one, the import is
 * done whole, duplicate ids and all, in a transaction that is rolled back: what it counts is what would be.
 */
import { counted } from '../../core/counted.ts'
import { findDataset } from '../../db/datasets.repo.ts'
import type { Db } from '../../db/connect.ts'
import type { ByteSource } from '../../tabular/byte-source.ts'
import { openTable } from '../../tabular/open-table.ts'
import type { ImportFlags } from '../commands/import.ts'
import { applyMapping } from '../mapping/apply-mapping.ts'
import type { MappingChanges } from '../mapping/mapping-file.ts'
import { printAnswer, say } from '../output.ts'
import { countLines } from './count-lines.ts'
import { earlierCellLines } from './earlier-cells.ts'
import { idColumnsFor } from './dataset-match.ts'
import type { ImportPlan } from './import-plan.ts'
import { importRecords } from './import-records.ts'
import { nextLine } from './next-command.ts'
import { previewImport, previewText } from './preview-import.ts'
import { tableLines } from './table-lines.ts'

/** @throws UsageError when the file is no table or lacks a column */
export async function lookAtFile(
  path: string,
  source: ByteSource,
  flags: ImportFlags,
  changes: MappingChanges | undefined,
): Promise<void> {
  const table = await openTable(source, flags)
  tableLines(source.name, table).forEach(say)
  const mapping = changes === undefined ? null : applyMapping(changes, null)
  const preview = await previewImport(source.name, table, flags.id ?? [], mapping)
  printAnswer(flags.output, preview, () =>
    [...previewText(preview), 'Nothing was written.'].join('\n'),
  )
  say(nextLine(path, flags, preview))
}

/** @throws UsageError when the file is no table, lacks a column, or does not fit the dataset */
export async function tryImport(
  db: Db,
  path: string,
  source: ByteSource,
  flags: ImportFlags,
  { datasetName, readers, earlier, mapping }: ImportPlan,
): Promise<void> {
  const append = flags.append ?? false
  const table = await openTable(source, flags)
  tableLines(source.name, table).forEach(say)
  const existing = await findDataset(db, datasetName)
  const idColumns = idColumnsFor(datasetName, existing, flags.id, append)
  const preview = await previewImport(source.name, table, idColumns, mapping)
  const { datasetId: _, ...report } = await importRecords(db, {
    source,
    format: flags,
    datasetName,
    idColumns: flags.id,
    append,
    isTrial: true,
    readers,
    earlier,
    rejectedPath: null,
  })
  printAnswer(flags.output, { ...preview, ...report }, () =>
    [
      ...previewText(preview),
      `dataset ${datasetName} would have of the ${counted(report.lines, 'record')} of this file:`,
      ...countLines(report),
      ...(report.earlier === undefined ? [] : earlierCellLines(report.earlier)),
      'Nothing was written.',
    ].join('\n'),
  )
  say(nextLine(path, flags, preview))
}
