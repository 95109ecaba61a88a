import { z } from 'zod'
import { wilsonInterval } from '../../core/evaluation/wilson-interval.ts'
import { knownProject } from '../../client/known-project.ts'
import { type Audit, drawAudit, listAudits } from '../../db/audits.repo.ts'
import { ProblemError } from '../problem.ts'
import { defineRoute } from '../route.ts'
import { moment, projectParams, reviewerName, whole } from './api-schemas.ts'

const audit = z.object({
  id: whole,
  by: z.string(),
  at: moment,
  drawn: whole,
  judged: whole,
  right: whole,
  precision: z.object({ share: z.number(), low: z.number(), high: z.number() }).nullable(),
})

export const auditRoutes = [
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

export function nothingMatched(projectId: number): ProblemError {
  return new ProblemError(409, {
    code: 'nothing_matched',
    detail: `Project ${projectId} has no automatic match that nobody has judged.`,
  })
}
