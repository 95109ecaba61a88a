import { expect, it } from 'vitest'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { countDue } from '../../../src/db/due-subjects.ts'
import { countDueTotal } from '../../../src/db/due-total.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { decideRecord, scoredCandidate } from '../../support/decided-records.ts'
import {
  createTestProject,
  putRecords,
  reviseSettings,
  type TestProject,
} from '../../support/match-project-rows.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

let db: Db
onTempDatabase((url) => (db = connectDatabase(url)))

const record = (id: string, name = `name of ${id}`) => ({ id, name })
const ids = ['settled', 'changed', 'failed', 'cancelled', 'queued', 'judged', 'absent', 'never']

/** A record in each of the states that a run leaves or finds. */
async function mixedProject(): Promise<TestProject> {
  const project = await createTestProject(
    db,
    'sample',
    ids.slice(0, -1).map((id) => record(id)),
  )
  await refreshSubjects(db, { ...project, revision: 1 })
  for (const id of ['settled', 'changed', 'judged', 'absent']) {
    await decideRecord(db, project.id, id, 'review', [scoredCandidate('Q1')])
  }
  await db
    .updateTable('subject')
    .where('project_id', '=', project.id)
    .where('status', '=', 'COMPLETED')
    .set((eb) => ({ decided_hash: eb.ref('match_hash'), decided_revision: 1 }))
    .execute()
  const idOf = async (id: string) => {
    const { id: found } = await db
      .selectFrom('subject as s')
      .innerJoin('entry as e', 'e.id', 's.entry_id')
      .where('s.project_id', '=', project.id)
      .where('e.external_id', '=', id)
      .select('s.id')
      .executeTakeFirstOrThrow()
    return found
  }
  for (const status of ['FAILED', 'CANCELLED', 'QUEUED'] as const) {
    const id = await idOf(status.toLowerCase())
    await db.updateTable('subject').where('id', '=', id).set({ status }).execute()
  }
  for (const verdict of ['none_fits', 'match'] as const) {
    await db
      .insertInto('judgment')
      .values({
        subject_id: await idOf('judged'),
        verdict,
        external_id: verdict === 'match' ? 'Q2' : null,
        judged_by: 'Ann',
        match_hash: Buffer.from('of another time'),
        note: null,
        undoes: null,
      })
      .execute()
  }
  await putRecords(db, project.datasetId, [record('changed', 'another name')])
  await refreshSubjects(db, { ...project, revision: 1 })
  await putRecords(db, project.datasetId, [record('never')])
  await db
    .updateTable('entry')
    .where('dataset_id', '=', project.datasetId)
    .where('external_id', '=', 'absent')
    .set({ absent_since: new Date() })
    .execute()
  return project
}

async function bothCounts(id: number, revision: number): Promise<readonly [number, number]> {
  const question = { projectId: id, revision, runId: null, options: defaultRunOptions }
  const { due } = await countDue(db, question)
  const sum = Object.values(due).reduce((total, count) => total + count, 0)
  return [sum, await countDueTotal(db, { id, revision, after: null })]
}

it('counts what is due as the plan does, whatever stands for it', async () => {
  const project = await mixedProject()
  expect(await bothCounts(project.id, 1)).toEqual([3, 3])
  await reviseSettings(db, project, { limit: 5 })
  expect(await bothCounts(project.id, 2)).toEqual([4, 4])
})

it('counts what was decided before an answer was renewed', async () => {
  const project = await mixedProject()
  const { id } = await db
    .insertInto('lookup')
    .values({
      service: `of ${project.id}`,
      key_hash: Buffer.from('key'),
      query: JSON.stringify({ query: 'x' }),
      status: 'answered',
      answer: JSON.stringify({ candidates: [] }),
      refreshed_at: new Date(Date.now() + 60_000),
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const settled = await db
    .selectFrom('subject as s')
    .innerJoin('entry as e', 'e.id', 's.entry_id')
    .where('s.project_id', '=', project.id)
    .where('e.external_id', '=', 'settled')
    .select('s.id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('subject_lookup')
    .values({ subject_id: settled.id, position: 0, lookup_id: id })
    .execute()
  expect(await bothCounts(project.id, 1)).toEqual([4, 4])
})

it('counts the records of a project by how they stand, judged ones by what was said', async () => {
  const project = await mixedProject()
  expect(await countProject(db, project.id)).toEqual({
    total: 6,
    completed: 3,
    failed: 1,
    cancelled: 1,
    queued: 1,
    fresh: 0,
    matched: 1,
    review: 2,
    noCandidate: 0,
    skipped: 0,
    judged: 1,
    stale: 1,
  })
})
