/** Read models of the other two jobs: extractions and downloads. */
import { z } from 'zod'
import { readQueueReport } from '../../client/download/queue-report.ts'
import { readExtractionReport } from '../../client/extract/extraction-report.ts'
import { listQueues } from '../../db/download-queues.repo.ts'
import { extractErrors } from '../../db/extract-report.repo.ts'
import { findExtractRun, listExtractRuns } from '../../db/extract-runs.repo.ts'
import { ProblemError } from '../problem.ts'
import { defineRoute } from '../route.ts'
import { countParam, whole } from './api-schemas.ts'

const extraction = z.looseObject({
  run: whole,
  source: z.string(),
  dataset: z.string(),
  status: z.string(),
  items: whole,
  errors: whole,
})
const MOST_ERRORS = 200

export const jobRoutes = [
  defineRoute({
    method: 'get',
    path: '/extractions',
    operationId: 'listExtractions',
    tag: 'jobs',
    summary: 'Extractions, the latest first',
    query: z.strictObject({ limit: countParam(20, 100, 'Extractions') }),
    responses: {
      200: { description: 'Extractions', schema: z.object({ extractions: z.array(extraction) }) },
    },
    handle: async ({ context: { db }, query }) => {
      const runs = await listExtractRuns(db, query.limit)
      return {
        data: { extractions: await Promise.all(runs.map((run) => readExtractionReport(db, run))) },
      }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/extractions/{run}',
    operationId: 'getExtraction',
    tag: 'jobs',
    summary: 'An extraction by type, with what could not be read',
    params: z.object({
      run: z
        .string()
        .regex(/^[1-9]\d{0,14}$/, 'expected a number')
        .transform(Number)
        .meta({ description: 'Number of the extraction' }),
    }),
    responses: {
      200: {
        description: 'The extraction',
        schema: extraction.extend({ failures: z.array(z.looseObject({ code: z.string() })) }),
      },
    },
    problems: { 404: 'unknown_extraction' },
    handle: async ({ context: { db }, params }) => {
      const run = await findExtractRun(db, params.run)
      if (run === undefined) {
        throw new ProblemError(404, {
          code: 'unknown_extraction',
          detail: `There is no extraction ${params.run}.`,
          hint: 'See which there are: GET /extractions',
        })
      }
      const report = await readExtractionReport(db, run)
      return { data: { ...report, failures: await extractErrors(db, run.id, MOST_ERRORS) } }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/downloads',
    operationId: 'listDownloads',
    tag: 'jobs',
    summary:
      'Download queues: files by state, bytes, reasons of failures, hosts that are waited for',
    responses: {
      200: {
        description: 'Queues by name',
        schema: z.object({
          queues: z.array(
            z.looseObject({ queue: z.string(), running: z.boolean(), done: whole, error: whole }),
          ),
        }),
      },
    },
    handle: async ({ context: { db } }) => {
      const queues = await listQueues(db)
      const reports = await Promise.all(queues.map((queue) => readQueueReport(db, queue)))
      return { data: { queues: reports.map(({ data }) => data) } }
    },
  }),
]
