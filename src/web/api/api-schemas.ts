/** Shapes that several routes share. */
import { z } from 'zod'

export const projectParam = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'expected the number of a project')
  .transform(Number)
  .meta({ description: 'Number of the project' })

export const projectParams = z.object({ project: projectParam })

/** A whole number in a query. */
export function countParam(fallback: number, most: number, text: string) {
  return z
    .string()
    .regex(/^[1-9]\d{0,8}$/, `expected a whole number, 1 to ${most}`)
    .transform(Number)
    .refine((value) => value <= most, `expected at most ${most}`)
    .optional()
    .transform((value) => value ?? fallback)
    .meta({ description: `${text}, 1 to ${most}; default ${fallback}` })
}

export const numberParam = (text: string) =>
  z
    .string()
    .regex(/^-?\d{1,6}(\.\d{1,6})?$/, 'expected a number')
    .transform(Number)
    .optional()
    .meta({ description: text })

export const reviewerName = z
  .string()
  .trim()
  .min(1, 'expected a name')
  .max(100, 'expected at most 100 characters')
  .meta({ description: 'Who says so' })

export const moment = z.string().meta({ format: 'date-time' })
export const whole = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

export const counts = z.object({
  total: whole,
  completed: whole,
  failed: whole,
  cancelled: whole,
  queued: whole,
  fresh: whole,
  matched: whole,
  review: whole,
  noCandidate: whole,
  skipped: whole,
  judged: whole,
  stale: whole,
})
