import { afterEach, beforeEach, expect, it } from 'vitest'
import { ensureSampleProject } from '../../../src/client/sample-project.ts'
import { listDatasets } from '../../../src/db/datasets.repo.ts'
import { createProject, findProject } from '../../../src/db/projects.repo.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { createImportBench, type ImportBench } from '../../support/import-bench.ts'

let bench: ImportBench
beforeEach(async () => {
  bench = await createImportBench()
})
afterEach(() => bench.close())

it('project 123 is made once, however many commands want it at the same time', async () => {
  await Promise.all([1, 2, 3].map(() => ensureSampleProject(bench.db)))
  await ensureSampleProject(bench.db)
  expect(await findProject(bench.db, 123)).toMatchObject({
    datasetName: 'sample-brands',
    revision: 1,
    about: expect.stringContaining('Sample'),
    settings: { service: 'sample', kind: 'generic' },
  })
  expect(await countProject(bench.db, 123)).toMatchObject({ total: 500, fresh: 500 })
  expect(await listDatasets(bench.db)).toHaveLength(1)
})

it('a project 123 of the user’s own is left alone', async () => {
  const { datasetId } = await bench.import('mine', 'id,name\n1,A\n')
  const { settings } = await bench.project(datasetId)
  await createProject(bench.db, { id: 123, name: 'mine', datasetId, settings })
  await ensureSampleProject(bench.db)
  expect(await findProject(bench.db, 123)).toMatchObject({ name: 'mine', datasetName: 'mine' })
  expect(await listDatasets(bench.db)).toHaveLength(1)
})
