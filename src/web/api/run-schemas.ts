import { z } from 'zod'
import { moment, projectParam, whole } from './api-schemas.ts'

export const runSchema = z.object({
  project: whole,
  run: whole,
  id: z.string(),
  status: z.enum([
    'running',
    'paused',
    'cancelling',
    'completed',
    'failed',
    'cancelled',
    'terminated',
  ]),
  reason: z.string().nullable(),
  isSample: z.boolean(),
  settingsRevision: whole,
  startedAt: moment,
  endedAt: moment.nullable(),
})

export const progressSchema = runSchema.extend({
  records: whole,
  finished: whole,
  matched: whole,
  review: whole,
  noCandidate: whole,
  failed: whole,
  requests: z.object({ sent: whole, throttled: whole, failed: whole }),
  perSecond: z.number().nullable(),
  leftMs: whole.nullable(),
  text: z.string(),
  waiting: z.string().nullable(),
})

/** A run that was started, and has no row of its own yet. */
export const startedSchema = z.object({
  project: whole,
  id: z.string(),
  status: z.literal('starting'),
})

export const runParams = z.object({
  project: projectParam,
  run: z
    .string()
    .regex(/^([1-9]\d{0,8}|[0-9a-f-]{36})$/, 'expected the number of a run, or its id')
    .meta({ description: 'Number of the run in its project, or its id' }),
})
