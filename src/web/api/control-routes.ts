import { z } from 'zod'
import { pickedStatuses } from '../../core/run.ts'
import { askToCancel, pauseMatch, resumeMatch } from '../../client/match/control-match.ts'
import { knownProject } from '../../client/known-project.ts'
import { runNumbers } from '../../db/run-pages.repo.ts'
import { ProblemError } from '../problem.ts'
import { defineRoute, type RouteAnswer } from '../route.ts'
import { runState } from '../run-state.ts'
import { type RunWish, startRun } from '../start-run.ts'
import { matchContext, type WebContext } from '../web-context.ts'
import { projectParams, whole } from './api-schemas.ts'
import { runSchema } from './run-schemas.ts'

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

export const controlRoutes = [
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
