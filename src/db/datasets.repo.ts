import { sql } from 'kysely'
import type { TableFormat } from '../core/table-format.ts'
import type { Db } from './connect.ts'
import { forgetExtractions } from './forget-extractions.ts'
import type { DatasetMapping, DatasetRow } from './tables/dataset.table.ts'

/** An imported file or extraction, as everybody outside src/db sees it. */
export interface Dataset {
  readonly id: number
  readonly name: string
  /** Column names in file order. */
  readonly columns: readonly string[]
  /** Columns that make the id of an entry; empty: ids are `row-1`, `row-2`, … */
  readonly idColumns: readonly string[]
  readonly format: TableFormat
  readonly mapping: DatasetMapping | null
  readonly createdAt: Date
  readonly importedAt: Date
}

export interface DatasetCounts {
  /** Entries that were in the file of the last import. */
  readonly entries: number
  /** Entries that were not, and are kept. */
  readonly absent: number
  /** Ids of the projects that match it. */
  readonly projects: readonly number[]
}

export async function findDataset(db: Db, name: string): Promise<Dataset | undefined> {
  const row = await db.selectFrom('dataset').where('name', '=', name).selectAll().executeTakeFirst()
  return row === undefined ? undefined : toDataset(row)
}

export async function datasetById(db: Db, id: number): Promise<Dataset | undefined> {
  const row = await db.selectFrom('dataset').where('id', '=', id).selectAll().executeTakeFirst()
  return row === undefined ? undefined : toDataset(row)
}

/** All datasets by name. */
export async function listDatasets(db: Db): Promise<readonly Dataset[]> {
  const rows = await db.selectFrom('dataset').selectAll().orderBy('name').execute()
  return rows.map(toDataset)
}

export async function countDataset(db: Db, id: number): Promise<DatasetCounts> {
  const { rows } = await sql<DatasetCounts>`
    select count(*) filter (where absent_since is null) as entries,
      count(*) filter (where absent_since is not null) as absent,
      (select coalesce(json_agg(p.id order by p.id), '[]') from project p where p.dataset_id = ${id}) as projects
    from entry where dataset_id = ${id}`.execute(db)
  return rows[0] ?? { entries: 0, absent: 0, projects: [] }
}

/** Keeps a mapping that later projects of the dataset start with. */
export async function setDatasetMapping(
  db: Db,
  id: number,
  mapping: DatasetMapping,
): Promise<void> {
  await db
    .updateTable('dataset')
    .set({ mapping: JSON.stringify(mapping) })
    .where('id', '=', id)
    .execute()
}

/** Deletes a dataset with its entries and what was extracted for it; Postgres refuses while a project uses it. */
export async function deleteDataset(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const gone = await tx
      .deleteFrom('dataset')
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst()
    if (gone !== undefined) await forgetExtractions(tx, gone.name)
  })
}

function toDataset(row: DatasetRow): Dataset {
  return {
    id: row.id,
    name: row.name,
    columns: row.columns,
    idColumns: row.id_columns,
    format: row.format,
    mapping: row.mapping,
    createdAt: row.created_at,
    importedAt: row.imported_at,
  }
}
