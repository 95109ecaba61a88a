import { z } from 'zod'
import { knownProject } from '../../client/known-project.ts'
import { applyThresholds, returnToRevision, reviewAboveMatch } from '../apply-settings.ts'
import { defineRoute } from '../route.ts'
import { tryThresholds } from '../try-thresholds.ts'
import { numberParam, projectParams, whole } from './api-schemas.ts'

const score = z.number().min(0).max(100)
const numbers = z.object({ matched: whole, review: whole, noCandidate: whole })
const conclusion = z.object({
  outcome: z.string(),
  qid: z.string().nullable(),
  rule: z.string().nullable(),
  reason: z.string().nullable(),
})
const applied = z.object({ project: whole, revision: whole, run: z.string().nullable() })

export const thresholdRoutes = [
  defineRoute({
    method: 'get',
    path: '/projects/{project}/thresholds',
    operationId: 'previewThresholds',
    tag: 'projects',
    summary:
      'What other thresholds would change, from stored answers; what is left out stays as it is',
    params: projectParams,
    query: z.strictObject({
      match: numberParam('Least score of an automatic match'),
      review: numberParam('Least score that is worth a person'),
      lead: numberParam('Least lead of an automatic match over the second candidate'),
    }),
    responses: {
      200: {
        description: 'Numbers of records that nobody judged, and the first that would flip',
        schema: z.object({
          before: numbers,
          after: numbers,
          flips: whole,
          examples: z.array(
            z.object({
              entry: z.string(),
              name: z.string(),
              before: conclusion,
              after: conclusion,
            }),
          ),
          lookedAt: whole,
          isPart: z.boolean().meta({ description: 'There are more records than were looked at' }),
          isGrowing: z.boolean().meta({
            description:
              'More are being looked at; asked again a moment later, they are counted too',
          }),
        }),
      },
    },
    problems: { 404: 'unknown_project', 422: 'review_above_match' },
    handle: async ({ context, params, query }) => {
      const project = await knownProject(context.db, params.project)
      const { thresholds } = project.settings
      const asked = {
        match: query.match ?? thresholds.match,
        review: query.review ?? thresholds.review,
        lead: query.lead ?? thresholds.lead,
      }
      if (asked.review > asked.match) throw reviewAboveMatch(asked)
      return { data: await tryThresholds(context, project, asked) }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/projects/{project}/thresholds',
    operationId: 'applyThresholds',
    tag: 'projects',
    summary: 'A new settings revision with these thresholds, and a run that decides again by it',
    params: projectParams,
    body: z.strictObject({ match: score, review: score, lead: score }),
    responses: { 202: { description: 'The revision, and the run', schema: applied } },
    problems: { 404: 'unknown_project', 409: 'run_open', 422: 'review_above_match' },
    handle: async ({ context, params, body }) => {
      const project = await knownProject(context.db, params.project)
      const { revision, temporalRunId } = await applyThresholds(context, project, body)
      return { status: 202, data: { project: project.id, revision, run: temporalRunId } }
    },
  }),
  defineRoute({
    method: 'post',
    path: '/projects/{project}/revisions/{revision}/restore',
    operationId: 'restoreRevision',
    tag: 'projects',
    summary:
      'The settings of an earlier revision again, as a new one, and a run that decides by it',
    params: projectParams.extend({
      revision: z
        .string()
        .regex(/^[1-9]\d{0,8}$/, 'expected the number of a revision')
        .transform(Number)
        .meta({ description: 'Number of the revision' }),
    }),
    responses: { 202: { description: 'The revision, and the run', schema: applied } },
    problems: { 404: 'unknown_project, unknown_revision', 409: 'run_open' },
    handle: async ({ context, params }) => {
      const project = await knownProject(context.db, params.project)
      const { revision, temporalRunId } = await returnToRevision(context, project, params.revision)
      return { status: 202, data: { project: project.id, revision, run: temporalRunId } }
    },
  }),
]
