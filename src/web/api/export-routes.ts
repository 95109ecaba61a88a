import { z } from 'zod'
import { knownProject } from '../../client/known-project.ts'
import { exportResults } from '../../client/export/export-results.ts'
import { defineRoute } from '../route.ts'
import { streamedText } from '../streamed-text.ts'
import { projectParams } from './api-schemas.ts'

const types = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  'review-csv': 'text/csv; charset=utf-8',
} as const

export const exportRoutes = [
  defineRoute({
    method: 'get',
    path: '/projects/{project}/export',
    operationId: 'exportProject',
    tag: 'records',
    summary: 'All records with their matches, in file order',
    params: projectParams,
    query: z.strictObject({
      format: z.enum(['csv', 'json', 'jsonl', 'review-csv']).optional(),
      only: z
        .string()
        .max(200)
        .optional()
        .meta({ description: 'Values of match_status, separated by commas' }),
    }),
    responses: {
      200: {
        description: 'The file',
        contentTypes: ['text/csv', 'application/json', 'application/jsonl'],
      },
    },
    problems: { 404: 'unknown_project' },
    handle: async ({ context: { db }, params, query }) => {
      const project = await knownProject(db, params.project)
      const { format = 'csv', only = '' } = query
      const request = {
        format,
        prefix: 'match_',
        statuses: only.split(',').filter((word) => word !== ''),
        excel: false,
        includeAbsent: false,
        properties: [],
      }
      const fileName = `project-${project.id}.${format === 'review-csv' ? 'csv' : format}`
      return streamedText({ type: types[format], fileName }, async (sink) => {
        await exportResults(db, project, request, sink)
      })
    },
  }),
]
