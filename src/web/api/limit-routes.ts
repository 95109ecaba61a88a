import { z } from 'zod'
import { domainReport, reportData } from '../../client/limits/domain-report.ts'
import {
  checkReason,
  forgetDomain,
  holdDomain,
  knownReport,
  releaseDomain,
} from '../../client/limits/hold-domain.ts'
import { readLimits } from '../../client/limits/read-limits.ts'
import { defineRoute } from '../route.ts'
import { limitsContext } from '../web-context.ts'
import { countParam, whole } from './api-schemas.ts'

const domainParams = z.object({
  domain: z
    .string()
    .regex(/^[\w.:[\]-]{1,255}$/, 'expected a host, with its port where it is not the usual one')
    .meta({ description: 'Host, such as www.wikidata.org' }),
})
const domain = z.looseObject({ domain: z.string(), pausedBecause: z.string().nullable() })

export const limitRoutes = [
  defineRoute({
    method: 'get',
    path: '/limits',
    operationId: 'listLimits',
    tag: 'limits',
    summary: 'The domains asked last, as their limiters were seen last',
    query: z.strictObject({ limit: countParam(20, 200, 'Domains') }),
    responses: {
      200: {
        description: 'All domains together, and the ones asked last',
        schema: z.looseObject({
          totalRequests: whole,
          throttledRequests: whole,
          domains: z.array(z.looseObject({ domain: z.string() })),
        }),
      },
    },
    handle: async ({ context: { db }, query }) => ({
      data: (await readLimits(db, query.limit)).snapshot,
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/limits/{domain}',
    operationId: 'getLimit',
    tag: 'limits',
    summary: 'How one domain stands: figures of its limiter, and its policy',
    params: domainParams,
    responses: { 200: { description: 'The domain', schema: domain } },
    problems: { 404: 'unknown_domain' },
    handle: async ({ context, params }) => ({
      data: reportData(await knownReport(await limitsContext(context), params.domain)),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/limits/{domain}/pause',
    operationId: 'pauseDomain',
    tag: 'limits',
    summary: 'Send nothing more to a domain',
    params: domainParams,
    body: z.strictObject({ reason: z.string().max(500).optional() }),
    responses: { 200: { description: 'How it stands then', schema: domain } },
    problems: { 422: 'bad_reason' },
    handle: async ({ context, params, body }) => {
      const limits = await limitsContext(context)
      await holdDomain(limits, params.domain, checkReason(params.domain, body.reason))
      return { data: reportData(await domainReport(limits, params.domain)) }
    },
  }),
  ...(['resume', 'reset'] as const).map((verb) =>
    defineRoute({
      method: 'post',
      path: `/limits/{domain}/${verb}`,
      operationId: `${verb}Domain`,
      tag: 'limits',
      summary:
        verb === 'resume' ? 'Let a domain be asked again' : 'Forget what was learned of a domain',
      params: domainParams,
      responses: { 200: { description: 'How it stands then', schema: domain } },
      problems: { 404: 'unknown_domain' },
      handle: async ({ context, params }) => {
        const limits = await limitsContext(context)
        await (verb === 'resume' ? releaseDomain : forgetDomain)(limits, params.domain)
        return { data: reportData(await domainReport(limits, params.domain)) }
      },
    }),
  ),
]
