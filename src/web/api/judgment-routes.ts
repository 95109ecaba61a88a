import { z } from 'zod'
import { knownProject } from '../../client/known-project.ts'
import { exportJudgments } from '../../client/judgments/export-judgments.ts'
import { readJudgmentsOf } from '../../db/explained-entry.repo.ts'
import {
  judgedState,
  judgmentScopes,
  skipEntry,
  unskipEntries,
} from '../../db/review-judgments.repo.ts'
import { judge } from '../judge.ts'
import { ProblemError } from '../problem.ts'
import { defineRoute } from '../route.ts'
import { streamedText } from '../streamed-text.ts'
import { moment, projectParams, reviewerName, whole } from './api-schemas.ts'
import { entryParams } from './entry-routes.ts'
import { pageVerdicts } from './page-verdicts.ts'

const verdict = z.enum(pageVerdicts)

const scope = z
  .enum(judgmentScopes)
  .default('equal')
  .meta({ description: 'equal: with all rows that are equal in their mapped fields; one: only it' })

const judged = z.object({
  judgment: whole,
  act: whole.nullable(),
  rows: whole.meta({ description: 'Judgments that were written, one for each row' }),
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
    summary: 'Judge a record, and with it all rows that are equal',
    description:
      'Judgments are only ever added. With "seen" nothing is written where somebody judged meanwhile, or the record changed. ' +
      'Rows that are equal in all mapped fields and that nobody has judged ("equal" of the record) are judged with it, as one act.',
    params: projectParams,
    body: z.strictObject({
      entry: z.string().min(1),
      verdict,
      qid: z.string().max(500).nullable().default(null).meta({ description: 'Only with "match"' }),
      by: reviewerName,
      note: z.string().max(2_000).nullable().default(null),
      way: z.enum(['review', 'blind', 'audit']).default('review'),
      seen: z.string().max(200).nullable().default(null),
      scope,
    }),
    responses: {
      200: { description: 'The same person had said the same', schema: judged },
      201: { description: 'Written', schema: judged },
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
        rows,
      } = await judge(db, project, {
        ...said,
        externalId: entry,
        note: said.note === '' ? null : said.note,
      })
      return { status: rows > 0 ? 201 : 200, data: { judgment: judgmentId, act, rows } }
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
    responses: {
      200: { description: 'CSV, or JSON lines', contentTypes: ['text/csv', 'application/jsonl'] },
    },
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
    summary: 'Leave a record and all rows that are equal for later, in the queue of one person',
    params: projectParams,
    body: z.strictObject({ entry: z.string().min(1), by: reviewerName, scope }),
    responses: { 204: { description: 'Left for later' } },
    problems: { 404: 'unknown_project, unknown_entry' },
    handle: async ({ context: { db }, params, body }) => {
      const project = await knownProject(db, params.project)
      const wish = { externalId: body.entry, by: body.by, scope: body.scope }
      if ((await skipEntry(db, project.id, wish)) > 0) return { status: 204 }
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
]

function unknownEntry(projectId: number, entry: string): ProblemError {
  return new ProblemError(404, {
    code: 'unknown_entry',
    detail: `Project ${projectId} has no record ${JSON.stringify(entry)}.`,
  })
}
