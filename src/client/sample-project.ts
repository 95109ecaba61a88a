import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/connect.ts'
import { createProject, findProject } from '../db/projects.repo.ts'
import type { DatasetMapping } from '../db/tables/dataset.table.ts'
import { UsageError } from '../errors.ts'
import { textSource } from '../tabular/byte-source.ts'
import { refreshProjects } from './import/refresh-projects.ts'
import { importRecords, type ImportReport } from './import/import-records.ts'
import { applyMapping } from './mapping/apply-mapping.ts'

export const SAMPLE_PROJECT_ID = 123
const SAMPLE_DATASET = 'sample-brands'
const RETRY_MS = 200

const ABOUT =
  'Sample: about 500 shops and restaurants as OpenStreetMap mappers write them, matched to some 27,000 real ' +
  'Wikidata items that are served on this machine; 5 % of the right items were taken out. Data: name-suggestion-index (BSD-3-Clause).'

/**
 * Makes the sample dataset and project 123 where there is no project of that number; a project 123 of the user's own
 * is left alone. Safe to call twice at once.
 */
export async function ensureSampleProject(db: Db): Promise<void> {
  if ((await findProject(db, SAMPLE_PROJECT_ID)) !== undefined) return
  const { sampleCsv, sampleMapping } = await import('./sample/sample-csv.ts')
  const { sampleRecords } = await import('./sample/sample-records.ts')
  const mapping: DatasetMapping = {
    ...applyMapping({ name: sampleMapping.name }, null),
    mapping: sampleMapping,
  }
  const { datasetId } = await importSample(db, sampleCsv(await sampleRecords()), mapping)
  await createProject(db, {
    id: SAMPLE_PROJECT_ID,
    name: 'Sample: brands',
    about: ABOUT,
    datasetId,
    settings: { ...mapping, service: 'sample' },
  })
  const project = await findProject(db, SAMPLE_PROJECT_ID)
  if (project !== undefined) await refreshProjects(db, [project])
}

async function importSample(db: Db, csv: string, mapping: DatasetMapping): Promise<ImportReport> {
  for (;;) {
    try {
      return await importRecords(db, {
        source: textSource('sample-brands.csv', csv),
        format: {},
        datasetName: SAMPLE_DATASET,
        idColumns: ['id'],
        append: false,
        readers: [{ owner: 'the sample project', mapping }],
        rejectedPath: null,
      })
    } catch (error) {
      // Another command does the same at this moment; after it nothing is left to change.
      if (!(error instanceof UsageError && error.code === 'import_running')) throw error
      await sleep(RETRY_MS)
    }
  }
}
