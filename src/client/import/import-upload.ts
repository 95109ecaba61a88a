import type { Db } from '../../db/connect.ts'
import { fileSource } from '../../tabular/byte-source.ts'
import type { MappingChanges } from '../mapping/mapping-file.ts'
import { planForDataset } from './import-plan.ts'
import { importRecords, type ImportReport } from './import-records.ts'
import type { RefreshedProjectCounts } from './refresh-projects.ts'

export interface UploadWish {
  /** Of the file, which is only read. */
  readonly path: string
  readonly dataset: string
  readonly idColumns?: readonly string[] | undefined
  readonly mapping?: MappingChanges | undefined
  readonly append: boolean
  /** Counts what would become of the records, and writes nothing. */
  readonly isTrial: boolean
}

/** Imports a file that somebody sent; rejected lines are only counted. */
export async function importUpload(
  db: Db,
  wish: UploadWish,
): Promise<Omit<ImportReport, 'rejectedFile'> & { projects: readonly RefreshedProjectCounts[] }> {
  const source = await fileSource(wish.path)
  const plan = await planForDataset(db, wish.dataset, wish.mapping)
  const report = await importRecords(db, {
    source,
    format: {},
    datasetName: wish.dataset,
    idColumns: wish.idColumns,
    append: wish.append,
    isTrial: wish.isTrial,
    readers: plan.readers,
    earlier: plan.earlier,
    rejectedPath: null,
  })
  const { rejectedFile: _, ...counts } = report
  return { ...counts, projects: wish.isTrial ? [] : await plan.after(report) }
}
