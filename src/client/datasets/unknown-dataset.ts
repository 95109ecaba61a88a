import type { Db } from '../../db/connect.ts'
import { listDatasets } from '../../db/datasets.repo.ts'
import { UsageError } from '../../errors.ts'

/** The error for a dataset that does not exist, with those that do. */
export async function unknownDataset(db: Db, name: string): Promise<UsageError> {
  const names = (await listDatasets(db)).map((dataset) => dataset.name)
  return new UsageError({
    code: 'unknown_dataset',
    message: `There is no dataset "${name}"; there ${names.length === 0 ? 'is none yet' : `are: ${names.join(', ')}`}.`,
    hint: `Make it with: ./record-linker import FILE --dataset ${name} --id COLUMN`,
  })
}
