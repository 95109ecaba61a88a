import type { Db } from '../../db/connect.ts'
import { countDataset, listDatasets } from '../../db/datasets.repo.ts'

/** A dataset in a list. */
export interface DatasetRow {
  readonly dataset: string
  readonly records: number
  readonly absent: number
  /** Numbers of the projects that match it. */
  readonly projects: readonly number[]
  readonly columns: readonly string[]
  readonly importedAt: Date
}

export async function datasetRows(db: Db): Promise<readonly DatasetRow[]> {
  const datasets = await listDatasets(db)
  return Promise.all(
    datasets.map(async ({ id, name, columns, importedAt }) => {
      const { entries, absent, projects } = await countDataset(db, id)
      return { dataset: name, records: entries, absent, projects, columns, importedAt }
    }),
  )
}
