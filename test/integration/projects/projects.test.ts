import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planForDataset, planForProject } from '../../../src/client/import/import-plan.ts'
import { refreshProjects } from '../../../src/client/import/refresh-projects.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { deleteDataset, findDataset } from '../../../src/db/datasets.repo.ts'
import { countDue } from '../../../src/db/due-subjects.ts'
import { appendJudgments } from '../../../src/db/judgments.repo.ts'
import {
  createProject,
  deleteProject,
  findProject,
  reviseSettings,
  settingsOfRevision,
} from '../../../src/db/projects.repo.ts'
import { closeRun, openRun } from '../../../src/db/runs.repo.ts'
import { createImportBench, type ImportBench } from '../../support/import-bench.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await createImportBench()
})
afterAll(() => bench.close())

const TWO = 'id,name,also\n1,A,a\n2,B,b\n'

describe('a project', () => {
  it('may have a number of the user’s choice, which no other gets later', async () => {
    const { datasetId } = await bench.import('numbers', TWO)
    const { settings } = await bench.project(datasetId)
    const made = { name: 'chosen', datasetId, settings }
    const next = (await createProject(bench.db, made)) ?? 0
    expect(next).toBeGreaterThanOrEqual(124)
    expect(await createProject(bench.db, { ...made, id: next + 1 })).toBe(next + 1)
    expect(await createProject(bench.db, { ...made, id: next + 1, name: 'other' })).toBeUndefined()
    expect(await createProject(bench.db, { ...made, id: 7 })).toBe(7)
    expect(await createProject(bench.db, made)).toBe(next + 2)
    expect(await findProject(bench.db, next + 1)).toMatchObject({ name: 'chosen' })
  })

  it('gets a new revision only when its settings differ', async () => {
    const { datasetId } = await bench.import('revisions', TWO)
    const { id, settings } = await bench.project(datasetId)
    const { service, ...others } = settings
    const reordered = { ...others, service }
    expect(await reviseSettings(bench.db, id, reordered)).toEqual({ revision: 1, isNew: false })
    const changed = { ...settings, kind: 'work' } as const
    expect(await reviseSettings(bench.db, id, changed)).toEqual({ revision: 2, isNew: true })
    expect(await findProject(bench.db, id)).toMatchObject({ revision: 2, settings: changed })
    expect(await settingsOfRevision(bench.db, id, 1)).toEqual(settings)
    expect(await reviseSettings(bench.db, 999_999, changed)).toBeUndefined()
  })

  it('has its unjudged records decided again after a change, and only those', async () => {
    const { datasetId } = await bench.import('due', TWO)
    const project = await bench.project(datasetId)
    await bench.db
      .updateTable('subject')
      .set((eb) => ({
        status: 'COMPLETED',
        outcome: 'review',
        decided_revision: 1,
        decided_hash: eb.ref('match_hash'),
      }))
      .where('project_id', '=', project.id)
      .execute()
    const judgment = { line: 2, externalId: '1', verdict: 'none_fits', by: 'me' } as const
    await appendJudgments(bench.db, project.id, [
      { ...judgment, qid: null, at: null, note: null, matchHash: null },
    ])
    await reviseSettings(bench.db, project.id, { ...project.settings, kind: 'work' })
    const question = { projectId: project.id, runId: null, options: defaultRunOptions }
    expect(await countDue(bench.db, { ...question, revision: 2 })).toMatchObject({
      due: { changed_settings: 1, changed_cells: 0, new: 0 },
      judged: 1,
    })
  })

  it('is deleted with all that hangs on it, but not while it runs', async () => {
    const { datasetId } = await bench.import('deleted', TWO)
    const { id } = await bench.project(datasetId)
    const run = await openRun(bench.db, {
      projectId: id,
      workflowId: 'workflow',
      temporalRunId: 'execution',
      settingsRevision: 1,
      options: defaultRunOptions,
    })
    expect(await deleteProject(bench.db, id)).toBe('run_open')
    await closeRun(bench.db, run.id, { status: 'completed' })
    await expect(deleteDataset(bench.db, datasetId)).rejects.toThrow('foreign key')
    expect(await deleteProject(bench.db, id)).toBe('deleted')
    expect(await deleteProject(bench.db, id)).toBe('unknown')
    await deleteDataset(bench.db, datasetId)
    expect(await findDataset(bench.db, 'deleted')).toBeUndefined()
  })
})

describe('what an import fills', () => {
  it('a dataset, whose mapping later projects start with, and all of its projects', async () => {
    const { datasetId } = await bench.import('shared', TWO)
    const project = await bench.project(datasetId)
    const plan = await planForDataset(bench.db, 'shared', { name: 'also' })
    expect(plan.readers.map((reader) => reader.owner)).toEqual([
      'the mapping',
      `project ${project.id}`,
    ])
    const report = await bench.import('shared', `${TWO}3,C,c\n`)
    expect(await plan.after(report)).toEqual([{ project: project.id, new: 1, changed: 0 }])
    expect(await findDataset(bench.db, 'shared')).toMatchObject({
      mapping: { kind: 'generic', mapping: { name: 'also' } },
    })
  })

  it('the dataset of a project, unless other projects share it', async () => {
    const { datasetId } = await bench.import('own', TWO)
    const project = await bench.project(datasetId)
    const plan = await planForProject(bench.db, project.id, undefined, { name: 'also' })
    expect(plan).toMatchObject({
      datasetName: 'own',
      readers: [{ mapping: { mapping: { name: 'also' } } }],
    })
    const report = await bench.import('own', TWO)
    expect(await plan.after(report)).toEqual([{ project: project.id, new: 0, changed: 2 }])
    await bench.project(datasetId)
    await expect(planForProject(bench.db, project.id, undefined, undefined)).rejects.toMatchObject({
      code: 'shared_dataset',
    })
  })

  it('a new project with a dataset of its own, when it is said whom to ask', async () => {
    await expect(planForProject(bench.db, 5000, undefined, { name: 'name' })).rejects.toMatchObject(
      {
        code: 'unknown_project',
      },
    )
    await expect(planForProject(bench.db, 5000, 'sample', undefined)).rejects.toMatchObject({
      code: 'no_name_column',
    })
    const plan = await planForProject(bench.db, 5000, 'sample', { name: 'name' })
    const report = await bench.import(plan.datasetName, TWO)
    expect(await plan.after(report)).toEqual([{ project: 5000, new: 2, changed: 0 }])
    expect(await findProject(bench.db, 5000)).toMatchObject({
      datasetName: 'project-5000',
      settings: { service: 'sample' },
    })
  })
})

it('records that come back are the same subjects', async () => {
  const { datasetId } = await bench.import('back', TWO)
  const project = await bench.project(datasetId)
  const subjects = () =>
    bench.db
      .selectFrom('subject')
      .where('project_id', '=', project.id)
      .select('id')
      .orderBy('id')
      .execute()
  const before = await subjects()
  await bench.import('back', 'id,name,also\n1,A,a\n')
  await bench.import('back', TWO)
  expect(await refreshProjects(bench.db, [project])).toEqual([
    { project: project.id, new: 0, changed: 0 },
  ])
  expect(await subjects()).toEqual(before)
})
