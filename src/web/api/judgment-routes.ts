import { z } from 'zod'
import { wilsonInterval } from '../../core/evaluation/wilson-interval.ts'
import { knownProject } from '../../client/known-project.ts'
import { exportJudgments } from '../../client/judgments/export-judgments.ts'
import { type Audit, drawAudit, listAudits } from '../../db/audits.repo.ts'
import {
  acceptByRule,
  countAcceptable,
  drawAcceptable,
  listActs,
} from '../../db/judgment-acts.repo.ts'
import { readJudgmentsOf } from '../../db/explained-entry.repo.ts'
import { judgedState, skipEntry, unskipEntries } from '../../db/review-judgments.repo.ts'
import { judge, undo } from '../judge.ts'
import { ProblemError } from '../problem.ts'
import { defineRoute } from '../route.ts'
import { streamedText } from '../streamed-text.ts'
import {
  countParam,
  moment,
  numberParam,
  projectParams,
  reviewerName,
  whole,
} from './api-schemas.ts'
import { entryParams } from './entry-routes.ts'

export const pageVerdicts = ['match', 'none_fits', 'not_in_wikidata', 'not_applicable'] as const
const verdict = z.enum(pageVerdicts)
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

const audit = z.object({
  id: whole,
  by: z.string(),
  at: moment,
  drawn: whole,
  judged: whole,
  right: whole,
  precision: z.object({ share: z.number(), low: z.number(), high: z.number() }).nullable(),
})

export const judgmentRoutes = [
  defineRoute({
    method: 'get',
    path: '/projects/{project}/entries/{entry}/judgments',
    operationId: 'listJudgments',
    tag: 'judgments',
    summary: 'All that was ever said of a record, oldest first',
    params: entryParams,
    responses: {
      200: {
        description: 'Judgments, those that no longer hold too',
        schema: z.object({
          judgments: z.array(
            z.object({
              verdict: z.enum([...pageVerdicts, 'undo']),
              qid: z.string().nullable(),
              by: z.string(),
              at: moment,
              note: z.string().nullable(),
              holds: z.boolean(),
            }),
          ),
        }),
      },
    },
    problems: { 404: 'unknown_project, unknown_entry' },
    handle: async ({ context: { db }, params }) => {
      const project = await knownProject(db, params.project)
      const state = await judgedState(db, project.id, params.entry)
      if (state === undefined) throw unknownEntry(project.id, params.entry)
      return { data: { judgments: await readJudgmentsOf(db, state.subjectId) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/projects/{project}/judgments',
    operationId: 'judge',
    tag: 'judgments',
    summary: 'Judge a record',
    description:
      'Judgments are only ever added. With "seen" nothing is written where somebody judged meanwhile, or the record changed.',
    params: projectParams,
    body: z.strictObject({
      entry: z.string().min(1),
      verdict,
      qid: z.string().max(500).nullable().default(null).meta({ description: 'Only with "match"' }),
      by: reviewerName,
      note: z.string().max(2_000).nullable().default(null),
      way: z.enum(['review', 'blind', 'audit']).default('review'),
      seen: z.string().max(200).nullable().default(null),
    }),
    responses: {
      200: {
        description: 'The same person had said the same',
        schema: z.object({ judgment: whole, act: whole.nullable() }),
      },
      201: { description: 'Written', schema: z.object({ judgment: whole, act: whole.nullable() }) },
    },
    problems: {
      404: 'unknown_project, unknown_entry',
      409: 'judged_since: "facts" has the other answer; changed_since',
      422: 'invalid_item',
    },
    handle: async ({ context: { db }, params, body }) => {
      const project = await knownProject(db, params.project)
      const { entry, ...said } = body
      const {
        judgmentId,
        actId: act,
        isNew,
      } = await judge(db, project, {
        ...said,
        externalId: entry,
        note: said.note === '' ? null : said.note,
      })
      return { status: isNew ? 201 : 200, data: { judgment: judgmentId, act } }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/projects/{project}/judgments',
    operationId: 'exportJudgments',
    tag: 'judgments',
    summary: 'The judgments that hold, as "judgments import" and "evaluate" read them',
    params: projectParams,
    query: z.strictObject({ format: z.enum(['csv', 'jsonl']).optional() }),
    responses: { 200: { description: 'CSV, or JSON lines', contentType: 'text/csv' } },
    problems: { 404: 'unknown_project' },
    handle: async ({ context: { db }, params, query }) => {
      const project = await knownProject(db, params.project)
      const { format = 'csv' } = query
      return streamedText(
        {
          type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8',
          fileName: `judgments-${project.id}.${format}`,
        },
        async (sink) => void (await exportJudgments(db, project.id, format, sink)),
      )
    },
  }),
  defineRoute({
    method: 'post',
    path: '/projects/{project}/skips',
    operationId: 'skip',
    tag: 'judgments',
    summary: 'Leave a record for later, in the queue of one person',
    params: projectParams,
    body: z.strictObject({ entry: z.string().min(1), by: reviewerName }),
    responses: { 204: { description: 'Left for later' } },
    problems: { 404: 'unknown_project, unknown_entry' },
    handle: async ({ context: { db }, params, body }) => {
      const project = await knownProject(db, params.project)
      const wish = { externalId: body.entry, by: body.by }
      if (await skipEntry(db, project.id, wish)) return { status: 204 }
      throw unknownEntry(project.id, body.entry)
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/projects/{project}/skips',
    operationId: 'unskip',
    tag: 'judgments',
    summary: 'Take up again what a person left for later',
    params: projectParams,
    query: z.strictObject({
      by: reviewerName,
      entry: z.string().min(1).optional().meta({ description: 'Only this record' }),
    }),
    responses: { 200: { description: 'How many', schema: z.object({ records: whole }) } },
    problems: { 404: 'unknown_project' },
    handle: async ({ context: { db }, params, query }) => {
      const project = await knownProject(db, params.project)
      return {
        data: { records: await unskipEntries(db, project.id, query.by, query.entry ?? null) },
      }
    },
  }),
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
      const count = await countAcceptable(db, project.id, wish)
      const draw = { size: 10, seed: query.seed ?? 1 }
      return { data: { count, examples: await drawAcceptable(db, project.id, wish, draw) } }
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
  defineRoute({
    method: 'get',
    path: '/projects/{project}/audits',
    operationId: 'listAudits',
    tag: 'judgments',
    summary: 'Samples of automatic matches, and how many people found right',
    params: projectParams,
    responses: {
      200: { description: 'The latest first', schema: z.object({ audits: z.array(audit) }) },
    },
    problems: { 404: 'unknown_project' },
    handle: async ({ context: { db }, params }) => {
      const project = await knownProject(db, params.project)
      return { data: { audits: (await listAudits(db, project.id)).map(withPrecision) } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/projects/{project}/audits',
    operationId: 'drawAudit',
    tag: 'judgments',
    summary: 'Draw automatic matches at random, to be checked by people',
    params: projectParams,
    body: z.strictObject({
      size: z.int().min(1).max(10_000),
      seed: z.int().min(0).max(2_147_483_647).default(1),
      by: reviewerName,
    }),
    responses: { 201: { description: 'Drawn', schema: z.object({ audit: whole }) } },
    problems: { 404: 'unknown_project', 409: 'nothing_matched' },
    handle: async ({ context: { db }, params, body }) => {
      const project = await knownProject(db, params.project)
      const id = await drawAudit(db, project.id, body)
      if (id === undefined) throw nothingMatched(project.id)
      return { status: 201, data: { audit: id } }
    },
  }),
]

export function withPrecision(one: Audit) {
  const { judged, right } = one
  const precision =
    judged === 0 ? null : { share: right / judged, ...wilsonInterval(right, judged) }
  return { ...one, precision }
}

export function otherCount(expected: number, count: number): ProblemError {
  return new ProblemError(409, {
    code: 'other_count',
    detail: `The rule takes in ${count} records now; ${expected} were shown.`,
    hint: 'Look at them again.',
    facts: { count },
  })
}

export function nothingMatched(projectId: number): ProblemError {
  return new ProblemError(409, {
    code: 'nothing_matched',
    detail: `Project ${projectId} has no automatic match that nobody has judged.`,
  })
}

function unknownEntry(projectId: number, entry: string): ProblemError {
  return new ProblemError(404, {
    code: 'unknown_entry',
    detail: `Project ${projectId} has no record ${JSON.stringify(entry)}.`,
  })
}
