import { z } from 'zod'
import { knownProject } from '../../client/known-project.ts'
import { defineRoute } from '../route.ts'
import { searchByName } from '../search-items.ts'
import { projectParams } from './api-schemas.ts'

export const searchRoutes = [
  defineRoute({
    method: 'get',
    path: '/projects/{project}/items',
    operationId: 'searchItems',
    tag: 'judgments',
    summary: 'Items of the service by name, asked at once: a share of its rate is kept for this',
    params: projectParams,
    query: z.strictObject({
      text: z.string().min(1).max(200).meta({ description: 'A name' }),
    }),
    responses: {
      200: {
        description: 'The best first',
        schema: z.object({
          items: z.array(
            z.object({
              id: z.string(),
              name: z.string().nullable(),
              description: z.string().nullable(),
              url: z.string(),
            }),
          ),
        }),
      },
    },
    problems: {
      404: 'unknown_project',
      422: 'contact_required, nothing_to_search, …',
    },
    handle: async ({ context, params, query }) => {
      const project = await knownProject(context.db, params.project)
      return { data: { items: await searchByName(context, project, query.text) } }
    },
  }),
]
