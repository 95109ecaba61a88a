import { z } from 'zod'
import { jobEnvelope } from '../../core/job-envelope.ts'
import { knownProject } from '../../client/known-project.ts'
import { runNumbers, taskPage } from '../../db/run-pages.repo.ts'
import { findRunOfProject, type Run } from '../../db/runs.repo.ts'
import { sha256Hex } from '../../db/sha256.ts'
import { knownRun } from '../known-run.ts'
import { progressStream } from '../progress-stream.ts'
import { defineRoute } from '../route.ts'
import { runProgress, runState } from '../run-state.ts'
import { countParam, moment, projectParams, whole } from './api-schemas.ts'
import { progressSchema, runParams, runSchema, startedSchema } from './run-schemas.ts'

export const runRoutes = [
  defineRoute({
    method: 'get',
    path: '/projects/{project}/runs',
    operationId: 'listRuns',
    tag: 'runs',
    summary: 'Runs of a project, the latest first',
    params: projectParams,
    query: z.strictObject({
      limit: countParam(20, 100, 'Runs in a page'),
      before: z
        .string()
        .regex(/^[1-9]\d{0,8}$/, 'expected the number of a run')
        .transform(Number)
        .optional()
        .meta({ description: 'Only runs before this number' }),
    }),
    responses: {
      200: {
        description: 'A page',
        schema: z.object({
          runs: z.array(runSchema),
          next: whole.nullable().meta({ description: 'As "before" of the next page' }),
        }),
      },
    },
    problems: { 404: 'unknown_project' },
    handle: async ({ context, params, query }) => {
      const project = await knownProject(context.db, params.project)
      const numbers = await runNumbers(context.db, project.id, {
        before: query.before ?? null,
        limit: query.limit + 1,
      })
      const shown = numbers.slice(0, query.limit)
      const runs: Run[] = []
      for (const number of shown) {
        const run = await findRunOfProject(context.db, project.id, String(number))
        if (run !== undefined) runs.push(run)
      }
      const next = numbers.length > query.limit ? (shown.at(-1) ?? null) : null
      return { data: { runs: runs.map(runState), next } }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}/runs/{run}',
    operationId: 'getRun',
    tag: 'runs',
    summary: 'How a run stands',
    params: runParams,
    responses: { 200: { description: 'The run', schema: z.union([runSchema, startedSchema]) } },
    problems: { 404: 'unknown_project, unknown_run' },
    handle: async ({ context, params }) => {
      await knownProject(context.db, params.project)
      const run = await knownRun(context, params.project, params.run)
      return { data: run === 'starting' ? starting(params) : runState(run) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}/runs/{run}/progress',
    operationId: 'getProgress',
    tag: 'runs',
    summary: 'Progress of a run, and what it waits for',
    params: runParams,
    responses: {
      200: { description: 'The progress', schema: z.union([progressSchema, startedSchema]) },
    },
    problems: { 404: 'unknown_project, unknown_run' },
    handle: async ({ context, params }) => {
      await knownProject(context.db, params.project)
      const run = await knownRun(context, params.project, params.run)
      return { data: run === 'starting' ? starting(params) : await runProgress(context, run) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}/runs/{run}/events',
    operationId: 'followRun',
    tag: 'runs',
    summary: 'Progress as server-sent events, until the run has ended',
    description: 'Events "progress", each with the progress as JSON; the last one is "end".',
    params: runParams,
    responses: { 200: { description: 'A stream', contentTypes: ['text/event-stream'] } },
    problems: { 404: 'unknown_project, unknown_run', 429: 'too_many_streams' },
    handle: async ({ context, params, request }) => {
      await knownProject(context.db, params.project)
      await knownRun(context, params.project, params.run)
      return progressStream(context, params, request.signal)
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}/runs/{run}/tasks',
    operationId: 'listTasks',
    tag: 'runs',
    summary: 'Tasks of a run, each in its job envelope',
    params: runParams,
    query: z.strictObject({
      limit: countParam(50, 200, 'Tasks in a page'),
      after: z
        .string()
        .regex(/^\d{1,9}$/, 'expected the number of a task')
        .transform(Number)
        .optional()
        .meta({ description: 'Only tasks after this number' }),
    }),
    responses: {
      200: {
        description: 'A page',
        schema: z.object({
          tasks: z.array(
            z.object({
              status: z.enum(['open', 'done', 'failed']),
              kind: z.enum(['ask', 'score']),
              round: whole,
              requests: whole,
              job: z.object({
                header: z.object({
                  job_id: z.string().meta({ format: 'uuid' }),
                  type: z.literal('entity.match'),
                  version: z.literal('1.0'),
                  created_at: moment,
                  attempt: whole,
                  max_attempts: whole,
                }),
                body: z.object({
                  project_id: whole,
                  run: whole,
                  task_id: whole,
                  dataset_entry_ids: z.array(whole),
                }),
                tracing: z.object({ trace_id: z.string(), span_id: z.string() }),
              }),
            }),
          ),
          next: whole.nullable().meta({ description: 'As "after" of the next page' }),
        }),
      },
    },
    problems: { 404: 'unknown_project, unknown_run' },
    handle: async ({ context, params, query }) => {
      await knownProject(context.db, params.project)
      const run = await knownRun(context, params.project, params.run)
      if (run === 'starting') return { data: { tasks: [], next: null } }
      const page = { after: query.after ?? 0, limit: query.limit + 1 }
      const tasks = await taskPage(context.db, run.id, page)
      const shown = tasks.slice(0, query.limit)
      return {
        data: {
          tasks: shown.map(({ number, failedAttempts, entryIds, ...task }) => ({
            ...task,
            job: jobEnvelope(
              {
                projectId: run.projectId,
                run: run.number,
                temporalRunId: run.temporalRunId,
                startedAt: run.startedAt.toISOString(),
                maxAttempts: run.options.maxAttempts,
                task: number,
                failedAttempts,
                entryIds,
              },
              sha256Hex,
            ),
          })),
          next: tasks.length > query.limit ? (shown.at(-1)?.number ?? null) : null,
        },
      }
    },
  }),
]

function starting({ project, run }: { readonly project: number; readonly run: string }) {
  return { project, id: run, status: 'starting' }
}
