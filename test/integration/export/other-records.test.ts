import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refuseOtherRecords } from '../../../src/client/export/other-records.ts'
import { type Dataset, datasetById } from '../../../src/db/datasets.repo.ts'
import { UsageError } from '../../../src/errors.ts'
import { createImportBench, type ImportBench } from '../../support/import-bench.ts'

const folder = mkdtempSync(join(tmpdir(), 'record-linker-other-'))
const path = join(folder, 'matches.csv')
let bench: ImportBench
let shops: Dataset
beforeAll(async () => {
  bench = await createImportBench()
  shops = await imported('shops', 'id,name\n=1,Lidl\ns2,Ikea\n')
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await bench.close()
})

async function imported(name: string, text: string): Promise<Dataset> {
  const { datasetId } = await bench.import(name, text)
  const dataset = await datasetById(bench.db, datasetId)
  if (dataset === undefined) throw new Error('the dataset is gone')
  return dataset
}

async function refused(dataset: Dataset): Promise<boolean> {
  try {
    await refuseOtherRecords(bench.db, path, dataset, 7)
    return false
  } catch (error) {
    if (error instanceof UsageError && error.hint?.includes('-o matches-7.csv')) return true
    throw error
  }
}

describe('an export into a file with an export', () => {
  it.each(['csv', 'jsonl', 'review-csv', 'openrefine-csv'] as const)(
    'of the same records replaces it, and of others does not (%s)',
    async (format) => {
      const artists = await imported(`artists-${format}`, 'id,name\na1,Lidl\na2,Ikea\n')
      const project = await bench.project(shops.id)
      writeFileSync(path, await bench.export(project, { format, excel: format !== 'jsonl' }))
      expect(await refused(shops)).toBe(false)
      expect(await refused(artists)).toBe(true)
      const other = await imported(`columns-${format}`, 'id,title\na1,Lidl\n')
      expect(await refused({ ...other, idColumns: [] })).toBe(true)
    },
  )
  it('is written where there is none yet, or an empty one, or one that is no table', async () => {
    rmSync(path, { force: true })
    expect(await refused(shops)).toBe(false)
    writeFileSync(path, '')
    expect(await refused(shops)).toBe(false)
  })
})
