/** Who decides the records of a run is woken while it is planned, not when its first answers wait. */
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it, vi } from 'vitest'
import { createRunActivities } from '../../../src/activities/run-activities.ts'
import { noTracer } from '../../../src/activities/traces/tracer.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

let db: Db
onTempDatabase((url) => (db = connectDatabase(url)))

it('once for each plan', async () => {
  const { id: projectId } = await createTestProject(db, 'http://service.test/', [{ id: 'a' }])
  const onPlan = vi.fn<() => void>()
  const activities = createRunActivities({
    db,
    books: { settle: () => Promise.resolve() },
    metrics: { planned: () => undefined, decided: () => undefined },
    tracer: noTracer,
    onPlan,
  })
  const run = <T>(activity: () => Promise<T>) =>
    new MockActivityEnvironment().run<[], T, () => Promise<T>>(activity)
  const { runId } = await run(() =>
    activities.openRun({
      projectId,
      workflowId: `match-${projectId}`,
      temporalRunId: 'of-the-test',
      settingsRevision: 1,
      options: defaultRunOptions,
    }),
  )
  expect(onPlan).not.toHaveBeenCalled()
  await run(() => activities.queueRun({ runId, round: 0 }))
  expect(onPlan).toHaveBeenCalledTimes(1)
})
