/**
 * Runs of twenty records whose calls can be made to hang, the buttons of the Temporal UI as raw calls, and what must hold
 * after whatever was pressed.
 */
import { randomUUID } from 'node:crypto'
import proto from '@temporalio/proto'
import { expect, vi } from 'vitest'
import { reconciledRun } from '../../src/client/match/reconcile-run.ts'
import { countProject } from '../../src/db/run-progress.repo.ts'
import { answerByName, type FakeRequest, manifestAnswer } from './fake-reconciliation-service.ts'
import type { BenchStart, MatchBenchHandle } from './match-bench.ts'
import { createTestProject, type TestProject } from './match-project-rows.ts'
import type { MatchServer } from './match-server.ts'

const { EventType } = proto.temporal.api.enums.v1
const RECORDS = 20
const WITHIN = { timeout: 30_000, interval: 100 }
const namespace = 'default'

export const twoEach: BenchStart = { options: { entriesPerTask: 2 } }

export type UiScene = ReturnType<typeof createUiScene>

export function createUiScene(server: MatchServer) {
  const { bench, service } = server
  const { db, client } = bench
  const ui = client.workflowService
  let earlier = 0
  const batches = (): readonly FakeRequest[] =>
    service.requests.slice(earlier).filter(({ queries }) => queries !== null)
  const newProject = async (): Promise<TestProject> => {
    service.respond(answerByName)
    earlier = service.requests.length
    const names = Array.from({ length: RECORDS }, (_, index) => ({
      id: `r${index}`,
      name: `Name ${index}`,
    }))
    const mapping = { name: 'name', variants: [], properties: [] }
    return createTestProject(db, server.ownAddress(), names, { mapping })
  }
  const untilNothingRuns = async (projectId: number): Promise<void> => {
    const query = `ExecutionStatus = 'Running' AND WorkflowId STARTS_WITH 'match-project/${projectId}'`
    await vi.waitFor(async () => {
      const left: string[] = []
      for await (const one of client.workflow.list({ query })) left.push(one.workflowId)
      expect(left).toEqual([])
    }, WITHIN)
  }
  const rowsOf = async (projectId: number) => {
    const runs = await db
      .selectFrom('run')
      .where('project_id', '=', projectId)
      .orderBy('number')
      .select('status')
      .execute()
    const decisions = await db
      .selectFrom('decision as d')
      .innerJoin('subject as s', 's.id', 'd.subject_id')
      .where('s.project_id', '=', projectId)
      .select(['d.id', 'd.subject_id', 'd.run_id'])
      .orderBy('d.id')
      .execute()
    return { runs: runs.map(({ status }) => status), decisions }
  }
  const openTasks = async (projectId: number, status: 'open' | 'completed') => {
    const rows = await db
      .selectFrom('task')
      .innerJoin('run', 'run.id', 'task.run_id')
      .where('run.project_id', '=', projectId)
      .where('run.status', '=', status)
      .where('task.status', '=', 'open')
      .select('task.number')
      .execute()
    return rows.map(({ number }) => number)
  }

  return {
    batches,
    newProject,
    rowsOf,
    untilNothingRuns,
    openTasks,
    /** The first batches are answered, the others hang until the service is told otherwise. */
    hangAfter(count: number): void {
      let answered = 0
      service.respond((request) => {
        if (request.queries === null) return manifestAnswer(request)
        answered += 1
        return answered <= count ? answerByName(request) : { hang: 'before_headers' }
      })
    },
    untilHanging: () =>
      service.until(() => batches().filter(({ answered }) => !answered).length >= 2),
    untilCompleted: (projectId: number, count: number) =>
      vi.waitFor(
        async () => expect((await countProject(db, projectId)).completed).toBe(count),
        WITHIN,
      ),
    async cancel(workflowId: string): Promise<void> {
      await ui.requestCancelWorkflowExecution({ namespace, workflowExecution: { workflowId } })
    },
    async terminate(workflowId: string): Promise<void> {
      await ui.terminateWorkflowExecution({ namespace, workflowExecution: { workflowId } })
    },
    /** To the end of the first workflow task, or of the last that completed. */
    async reset({ workflowId }: MatchBenchHandle, to: 'first' | 'last', ofRun?: string) {
      const one = client.workflow.getHandle(workflowId, ofRun)
      const runId = ofRun ?? (await one.describe()).runId
      const { events } = await one.fetchHistory()
      const finished = (events ?? []).filter(
        ({ eventType }) => eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
      )
      await ui.resetWorkflowExecution({
        namespace,
        workflowExecution: { workflowId, runId },
        reason: 'by hand',
        requestId: randomUUID(),
        workflowTaskFinishEventId: finished.at(to === 'first' ? 0 : -1)?.eventId ?? null,
      })
      return client.workflow.getHandle(workflowId)
    },
    /** Every record is decided, once a run; no run is open, and no workflow and no task of a finished run. */
    async expectDone(projectId: number): Promise<void> {
      await untilNothingRuns(projectId)
      await reconciledRun(client, db, projectId)
      const counts = await countProject(db, projectId)
      expect(counts).toMatchObject({ completed: RECORDS, queued: 0, failed: 0, cancelled: 0 })
      const { runs, decisions } = await rowsOf(projectId)
      expect(runs).not.toContain('open')
      const once = new Set(decisions.map((one) => `${one.subject_id} ${one.run_id}`))
      expect(once.size).toBe(decisions.length)
      expect(await openTasks(projectId, 'completed')).toEqual([])
    },
  }
}
