import { z } from 'zod'
import { knownProject } from '../../client/known-project.ts'
import { acceptByRule, listActs, previewAcceptable } from '../../db/judgment-acts.repo.ts'
import { undo } from '../judge.ts'
import { ProblemError } from '../problem.ts'
import { defineRoute } from '../route.ts'
import {
  countParam,
  moment,
  numberParam,
  projectParams,
  reviewerName,
  whole,
} from './api-schemas.ts'
import { pageVerdicts } from './page-verdicts.ts'
import { counted } from '../../core/counted.ts'

const actId = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

const rule = z.strictObject({
  minScore: z.number().min(0).max(100),
  minMargin: z.number().min(0).max(100).default(0),
  single: z.boolean().default(false),
})

const act = z.object({
  id: whole,
  way: z.enum(['review', 'blind', 'audit', 'bulk', 'undo']),
  rule: z.object({ minScore: z.number(), minMargin: z.number(), single: z.boolean() }).nullable(),
  by: z.string(),
  at: moment,
  judgments: whole,
  externalId: z.string().nullable(),
  verdict: z.enum([...pageVerdicts, 'undo']).nullable(),
  qid: z.string().nullable(),
  undone: z.boolean(),
})

export const actRoutes = [
  defineRoute({
    method: 'get',
    path: '/projects/{project}/acts',
    operationId: 'listActs',
    tag: 'judgments',
    summary: 'What people did, the latest first; each can be undone as one',
    params: projectParams,
    query: z.strictObject({
      by: z.string().max(100).optional(),
      limit: countParam(20, 100, 'Acts'),
    }),
    responses: { 200: { description: 'Acts', schema: z.object({ acts: z.array(act) }) } },
    problems: { 404: 'unknown_project' },
    handle: async ({ context: { db }, params, query }) => {
      const project = await knownProject(db, params.project)
      const wish = { by: query.by ?? null, limit: query.limit }
      return { data: { acts: await listActs(db, project.id, wish) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/projects/{project}/undo',
    operationId: 'undo',
    tag: 'judgments',
    summary: 'Take back what of an act still holds',
    params: projectParams,
    body: z.strictObject({ act: actId, by: reviewerName }),
    responses: {
      200: {
        description: 'Taken back; "left" were judged anew since and stay',
        schema: z.object({ judgments: whole, left: whole }),
      },
    },
    problems: { 404: 'unknown_project, unknown_act', 409: 'undone_before, judged_since' },
    handle: async ({ context: { db }, params, body }) => {
      const project = await knownProject(db, params.project)
      return { data: await undo(db, project, { actId: body.act, by: body.by }) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}/bulk-accept',
    operationId: 'previewBulkAccept',
    tag: 'judgments',
    summary: 'What a rule would accept: how many, and ten of them at random',
    params: projectParams,
    query: z.strictObject({
      min_score: numberParam('Least score, 0 to 100; default 100'),
      min_margin: numberParam('Least lead; default 0'),
      single: z.enum(['yes', 'no']).optional().meta({ description: 'Only with one candidate' }),
      seed: z
        .string()
        .regex(/^\d{1,9}$/, 'expected a whole number')
        .transform(Number)
        .optional(),
    }),
    responses: {
      200: {
        description: 'Nothing is written',
        schema: z.object({ count: whole, examples: z.array(z.string()) }),
      },
    },
    problems: { 404: 'unknown_project' },
    handle: async ({ context: { db }, params, query }) => {
      const project = await knownProject(db, params.project)
      const wish = {
        minScore: query.min_score ?? 100,
        minMargin: query.min_margin ?? 0,
        single: query.single === 'yes',
      }
      const draw = { size: 10, seed: query.seed ?? 1 }
      return { data: await previewAcceptable(db, project.id, wish, draw) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/projects/{project}/bulk-accept',
    operationId: 'bulkAccept',
    tag: 'judgments',
    summary: 'Accept the best candidate of all that a rule takes in, as one act',
    params: projectParams,
    body: z.strictObject({
      rule,
      by: reviewerName,
      expected: whole.meta({
        description: 'The number that was shown; with another nothing is written',
      }),
    }),
    responses: {
      201: { description: 'Written', schema: z.object({ act: whole, judgments: whole }) },
    },
    problems: { 404: 'unknown_project', 409: 'other_count' },
    handle: async ({ context: { db }, params, body }) => {
      const project = await knownProject(db, params.project)
      const outcome = await acceptByRule(db, project.id, body)
      if (outcome.kind === 'other_count') throw otherCount(body.expected, outcome.count)
      return { status: 201, data: { act: outcome.actId, judgments: body.expected } }
    },
  }),
]

export function otherCount(expected: number, count: number): ProblemError {
  return new ProblemError(409, {
    code: 'other_count',
    detail: `The rule takes in ${counted(count, 'record')} now; ${expected} were shown.`,
    hint: 'Look at them again.',
    facts: { count },
  })
}
