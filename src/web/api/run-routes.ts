import { createHash } from 'node:crypto'
import { z } from 'zod'
import { jobEnvelope } from '../../core/job-envelope.ts'
import { pickedStatuses } from '../../core/run.ts'
import { askToCancel, pauseMatch, resumeMatch } from '../../client/match/control-match.ts'
import { knownProject } from '../../client/known-project.ts'
import { runNumbers, taskPage } from '../../db/run-pages.repo.ts'
import { findRunOfProject, type Run } from '../../db/runs.repo.ts'
import { knownRun } from '../known-run.ts'
import { ProblemError } from '../problem.ts'
import { progressStream } from '../progress-stream.ts'
import { defineRoute, type RouteAnswer } from '../route.ts'
import { runProgress, runState } from '../run-state.ts'
import { type RunWish, startRun } from '../start-run.ts'
import { matchContext, type WebContext } from '../web-context.ts'
import { countParam, moment, projectParams, whole } from './api-schemas.ts'
import { progressSchema, runParams, runSchema, startedSchema } from './run-schemas.ts'

const MAX_MS = 10 * 365 * 24 * 3_600_000
const count = z.int().min(1).max(1_000_000_000)
const options = z.strictObject({
  limit: count.optional().meta({ description: 'Only the first N due records' }),
  sample: z
    .strictObject({ size: count, seed: z.int().min(0).max(2_147_483_647).default(1) })
    .optional()
    .meta({ description: 'N due records drawn at random' }),
  only: z.array(z.enum(pickedStatuses)).min(1).optional(),
  maxAttempts: z.int().min(1).max(1_000).optional(),
  refreshOlderThanMs: z.int().min(0).max(MAX_MS).optional(),
  rescore: z.boolean().optional().meta({ description: 'Decide again from stored answers' }),
})
const retry = z.strictObject({
  codes: z.array(z.string().min(1)).min(1).max(100).optional(),
  entries: z.array(z.string().min(1)).min(1).max(500).optional(),
})
const accepted = z.object({
  project: whole,
  run: z.string(),
  status: z.enum(['started', 'joined']),
})
const nothingDue = z.object({
  project: whole,
  run: z.string().nullable(),
  status: z.literal('nothing_due'),
})
const startResponses = {
  200: { description: 'Nothing is due; "run" is the last one', schema: nothingDue },
  202: {
    description: 'It runs; follow it where Location says',
    schema: accepted,
    headers: { Location: 'Of the run' },
  },
}
const startProblems = {
  404: 'unknown_project, unknown_entry',
  409: 'other_run_open: a run with other options is open',
  422: 'idempotency_key_reused, contact_required, …',
}
const KEY = { 'Idempotency-Key': 'The same key is the same run, also after it has ended' }

export const runRoutes = [
  defineRoute({
    method: 'post',
    path: '/projects/{project}/match',
    operationId: 'startMatch',
    tag: 'runs',
    summary: 'Start the match of a project, or join the one that runs with equal options',
    params: projectParams,
    body: options,
    headers: KEY,
    responses: startResponses,
    problems: startProblems,
    handle: async ({ context, params, body, request }) => {
      const { limit = null, sample = null, only = null, ...others } = body
      if (limit !== null && sample !== null) {
        throw new ProblemError(422, {
          code: 'limit_and_sample',
          detail: 'limit and sample were both given; a run takes the first records or random ones.',
        })
      }
      const given = Object.fromEntries(
        Object.entries(others).filter(([, value]) => value !== undefined),
      )
      return start(context, request, {
        projectId: params.project,
        options: { ...given, limit, sample, only },
      })
    },
  }),
  defineRoute({
    method: 'post',
    path: '/projects/{project}/retry',
    operationId: 'retryFailed',
    tag: 'runs',
    summary: 'Start a run that takes up failed records: all, or those named',
    params: projectParams,
    body: retry,
    headers: KEY,
    responses: startResponses,
    problems: startProblems,
    handle: async ({ context, params, body, request }) =>
      start(context, request, {
        projectId: params.project,
        options: { retryFailed: true },
        pick: { code: body.codes, entry: body.entries },
      }),
  }),
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
    responses: { 200: { description: 'A stream', contentType: 'text/event-stream' } },
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
              digest,
            ),
          })),
          next: tasks.length > query.limit ? (shown.at(-1)?.number ?? null) : null,
        },
      }
    },
  }),
  ...(['pause', 'resume'] as const).map((verb) =>
    defineRoute({
      method: 'post',
      path: `/projects/{project}/${verb}`,
      operationId: `${verb}Match`,
      tag: 'runs',
      summary:
        verb === 'pause'
          ? 'Hold the running match; no request is sent until it is resumed'
          : 'Let a paused match go on',
      params: projectParams,
      responses: { 200: { description: 'How it stands then', schema: runSchema } },
      problems: { 404: 'unknown_project', 409: 'no_open_run' },
      handle: async ({ context, params }) => {
        const project = await knownProject(context.db, params.project)
        const match = await matchContext(context)
        const run = await (verb === 'pause' ? pauseMatch : resumeMatch)(match, project.id)
        return { data: runState(run) }
      },
    }),
  ),
  defineRoute({
    method: 'post',
    path: '/projects/{project}/cancel',
    operationId: 'cancelMatch',
    tag: 'runs',
    summary: 'Stop the running match; what is decided stays',
    params: projectParams,
    responses: {
      202: {
        description: 'It is being stopped; follow it where Location says',
        schema: z.object({ project: whole, status: z.literal('cancelling') }),
        headers: { Location: 'Of the run' },
      },
    },
    problems: { 404: 'unknown_project', 409: 'no_open_run' },
    handle: async ({ context, params }) => {
      const project = await knownProject(context.db, params.project)
      const match = await matchContext(context)
      await askToCancel(match, project.id)
      const [number = null] = await runNumbers(context.db, project.id, { before: null, limit: 1 })
      return {
        status: 202,
        data: { project: project.id, status: 'cancelling' },
        headers: number === null ? {} : { Location: `/projects/${project.id}/runs/${number}` },
      }
    },
  }),
]

async function start(
  context: WebContext,
  request: Request,
  wish: Omit<RunWish, 'key'>,
): Promise<RouteAnswer> {
  const key = request.headers.get('Idempotency-Key')
  if (key !== null && (key === '' || key.length > 200)) {
    throw new ProblemError(400, {
      code: 'invalid_request',
      detail: `Idempotency-Key has ${key.length} characters; expected 1 to 200.`,
    })
  }
  const { kind, temporalRunId } = await startRun(context, { ...wish, key })
  const data = { project: wish.projectId, run: temporalRunId, status: kind }
  if (kind === 'nothing_due') return { data }
  const headers = { Location: `/projects/${wish.projectId}/runs/${temporalRunId}` }
  return { status: 202, data, headers }
}

function starting({ project, run }: { readonly project: number; readonly run: string }) {
  return { project, id: run, status: 'starting' }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
