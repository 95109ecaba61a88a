import { z } from 'zod'
import { datasetRows } from '../../client/datasets/dataset-rows.ts'
import { importUpload } from '../../client/import/import-upload.ts'
import { checkMapping } from '../../client/mapping/mapping-file.ts'
import { ProblemError } from '../problem.ts'
import { defineRoute } from '../route.ts'
import { withUpload } from '../upload.ts'
import { moment, whole } from './api-schemas.ts'

const report = z.object({
  dataset: z.string(),
  lines: whole,
  new: whole,
  changed: whole,
  unchanged: whole,
  absent: whole,
  rejected: whole,
  projects: z.array(z.looseObject({ project: whole, new: whole, changed: whole })),
})

export const importRoutes = [
  defineRoute({
    method: 'get',
    path: '/datasets',
    operationId: 'listDatasets',
    tag: 'records',
    summary: 'Imported datasets',
    responses: {
      200: {
        description: 'By name',
        schema: z.object({
          datasets: z.array(
            z.object({
              dataset: z.string(),
              records: whole,
              absent: whole,
              projects: z.array(whole),
              columns: z.array(z.string()),
              importedAt: moment,
            }),
          ),
        }),
      },
    },
    handle: async ({ context: { db } }) => ({ data: { datasets: await datasetRows(db) } }),
  }),
  defineRoute({
    method: 'post',
    path: '/datasets/{dataset}/import',
    operationId: 'importFile',
    tag: 'records',
    summary: 'Import a file into a dataset, as a whole or not at all; again and again',
    description:
      'The body is the file: CSV, TSV, JSON lines or XLSX, plain or gzipped, of any size. "name" is that of the file.',
    params: z.object({
      dataset: z.string().min(1).max(200).meta({ description: 'Name of the dataset' }),
    }),
    query: z.strictObject({
      file: z.string().min(1).max(200).optional().meta({
        description: 'Name of the file; its ending tells the format where the content does not',
      }),
      id: z.string().optional().meta({ description: 'Columns with the id, separated by commas' }),
      mapping: z
        .string()
        .max(20_000)
        .optional()
        .meta({ description: 'A mapping as JSON, as a mapping file has it' }),
      append: z.enum(['yes', 'no']).optional(),
      dry_run: z.enum(['yes', 'no']).optional().meta({ description: 'Count only, write nothing' }),
    }),
    rawBody: [
      'application/octet-stream',
      'text/csv',
      'text/tab-separated-values',
      'application/jsonl',
    ],
    responses: { 200: { description: 'What became of its lines', schema: report } },
    problems: {
      409: 'import_running, id_columns_differ, …',
      413: 'file_too_large: no room for it',
      422: 'unknown_column, no_name_column, nothing_to_import, …',
    },
    handle: async ({ context: { db }, params, query, request }) => {
      if (request.body === null) {
        throw new ProblemError(400, {
          code: 'no_file',
          detail: 'The body is empty; expected a file.',
        })
      }
      const changes = query.mapping === undefined ? undefined : readMapping(query.mapping)
      return withUpload(request.body, query.file ?? 'upload.csv', async (path) => {
        const { datasetId: _, ...counts } = await importUpload(db, {
          path,
          dataset: params.dataset,
          idColumns: query.id?.split(','),
          mapping: changes,
          append: query.append === 'yes',
          isTrial: query.dry_run === 'yes',
        })
        return { data: counts }
      })
    },
  }),
]

function readMapping(text: string) {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ProblemError(400, { code: 'invalid_json', detail: 'mapping: not JSON.' })
  }
  return checkMapping(value, 'The mapping')
}
