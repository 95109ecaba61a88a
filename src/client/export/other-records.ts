import type { Dataset } from '../../db/datasets.repo.ts'
import type { Db } from '../../db/connect.ts'
import { countKnownEntries } from '../../db/known-entries.repo.ts'
import { UsageError } from '../../errors.ts'
import { fileSource } from '../../tabular/byte-source.ts'
import { openTable } from '../../tabular/open-table.ts'
import { recordId } from '../import/record-id.ts'

/** Of the beginning of the file; a re-import that replaced all of them at once is rare, and `--force` is there for it. */
const RECORDS_LOOKED_AT = 50

/**
 * An export of other records is not replaced without a word. It is one by its ids, for a file does not say of which
 * project it is: of two projects of one dataset, and of datasets without ids whose columns are the same, it cannot be told.
 * @throws UsageError `would_overwrite`
 */
export async function refuseOtherRecords(
  db: Db,
  path: string,
  { id: datasetId, columns, idColumns }: Pick<Dataset, 'id' | 'columns' | 'idColumns'>,
  project: number,
): Promise<void> {
  const read = await beginningOf(path)
  if (read === undefined) return
  const wanted = idColumns.length === 0 ? columns : idColumns
  const isOther =
    wanted.some((column) => !read.columns.includes(column)) ||
    (idColumns.length > 0 && !(await knowsAny(db, datasetId, read.records, idColumns)))
  if (!isOther) return
  throw new UsageError({
    code: 'would_overwrite',
    message: `${path} is there already and is an export of other records than those of project ${project}.`,
    hint: `Choose another name, such as -o matches-${project}.csv, or replace it with --force.`,
  })
}

async function knowsAny(
  db: Db,
  datasetId: number,
  records: readonly Readonly<Record<string, string>>[],
  idColumns: readonly string[],
): Promise<boolean> {
  const ids = records.flatMap((cells) => {
    const read = recordId(cells, idColumns)
    // `--excel` puts an apostrophe before what could be a formula.
    return 'id' in read ? [read.id, read.id.replace(/^'/, '')] : []
  })
  return ids.length === 0 || (await countKnownEntries(db, datasetId, ids)) > 0
}

/** Undefined where there is no such file, or it is no table: `refuseOtherFiles` and writing tell. */
async function beginningOf(path: string) {
  try {
    const table = await openTable(await fileSource(path))
    const records: Readonly<Record<string, string>>[] = []
    for await (const batch of table.batches()) {
      records.push(...batch.records.map(({ cells }) => cells))
      if (records.length >= RECORDS_LOOKED_AT) break
    }
    return { columns: table.columns, records: records.slice(0, RECORDS_LOOKED_AT) }
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}
