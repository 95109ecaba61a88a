/** A task that is given up as a whole: its records have failed, and the metrics say so. */
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { createRunActivities } from '../../../src/activities/run-activities.ts'
import { noTracer } from '../../../src/activities/traces/tracer.ts'
import type { OutcomeCounts } from '../../../src/activities/work-metrics.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

const TASK = { task: 1, code: 'poison', message: 'its process died' }

let db: Db
onTempDatabase((url) => (db = connectDatabase(url)))

it('counts the records that failed with it, once, and not those that stay decided', async () => {
  const records = ['a', 'b', 'c', 'decided before'].map((id) => ({ id, name: `Brand ${id}` }))
  const { id: projectId } = await createTestProject(db, 'http://service.test/', records)
  const counted: OutcomeCounts[] = []
  const activities = createRunActivities({
    db,
    books: { settle: () => Promise.resolve() },
    metrics: { planned: () => undefined, decided: (counts) => void counted.push(counts) },
    tracer: noTracer,
  })
  const run = <T>(activity: () => Promise<T>) =>
    new MockActivityEnvironment().run<[], T, () => Promise<T>>(activity)
  const start = {
    projectId,
    workflowId: `match-${projectId}`,
    temporalRunId: 'of-the-test',
    settingsRevision: 1,
    options: defaultRunOptions,
  }
  const { runId } = await run(() => activities.openRun(start))
  await run(() => activities.queueRun({ runId, round: 0 }))
  await db.updateTable('subject').set({ task_number: TASK.task }).execute()
  await db
    .updateTable('subject')
    .set({ outcome: 'matched' })
    .where('entry_id', '=', (eb) =>
      eb.selectFrom('entry').select('id').where('external_id', '=', 'decided before'),
    )
    .execute()
  await run(() => activities.failTask({ runId, ...TASK }))
  await run(() => activities.failTask({ runId, ...TASK }))
  expect(counted).toEqual([{ failed: 3 }, { failed: 0 }])
  const failed = await db.selectFrom('subject').where('status', '=', 'FAILED').selectAll().execute()
  expect(failed.map(({ error_code: code }) => code)).toEqual(['poison', 'poison', 'poison'])
})
