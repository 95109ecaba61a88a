/** Filters of records as they stand in addresses: `?status=review&min_score=40&order=doubt`. */
import { z } from 'zod'
import { type EntryFilter, entryStatuses } from '../db/entry-filter.ts'
import { entryOrders } from '../db/entry-order.ts'
import { numberParam } from './api/api-schemas.ts'

const flag = (text: string) =>
  z
    .enum(['yes', 'no'])
    .optional()
    .transform((value) => (value === undefined ? null : value === 'yes'))
    .meta({ description: text })

const words = new Set<string>(entryStatuses)

export const entryQueryShape = {
  status: z
    .string()
    .optional()
    .refine(
      (text) => (text ?? '').split(',').every((word) => word === '' || words.has(word)),
      `expected some of ${entryStatuses.join(', ')}, separated by commas`,
    )
    .meta({ description: `Any of ${entryStatuses.join(', ')}, separated by commas` }),
  min_score: numberParam('Least score of the best candidate, 0 to 100'),
  max_score: numberParam('Greatest score of the best candidate'),
  min_margin: numberParam('Least lead over the second candidate'),
  max_margin: numberParam('Greatest lead over the second candidate'),
  candidates: z.enum(['none', 'one', 'several']).optional(),
  type: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Id of a type that the best candidate is of; see …/types' }),
  judged: flag('Judged by a person or a file'),
  stale: flag('Judged, and the record or its item changed since'),
  code: z.string().max(100).optional().meta({ description: 'What a failed record failed of' }),
  text: z.string().max(200).optional().meta({ description: 'Somewhere in its id or cells' }),
  order: z
    .enum(entryOrders)
    .optional()
    .meta({ description: 'file: as imported; score: best first; doubt: nearest to a threshold' }),
} as const

const shape = z.object(entryQueryShape)
export type EntryQuery = z.output<typeof shape>

export function filterOf(query: EntryQuery): EntryFilter {
  const statuses = (query.status ?? '').split(',').filter((word) => word !== '')
  return {
    statuses: entryStatuses.filter((status) => statuses.includes(status)),
    minScore: query.min_score ?? null,
    maxScore: query.max_score ?? null,
    minMargin: query.min_margin ?? null,
    maxMargin: query.max_margin ?? null,
    candidates: query.candidates ?? null,
    type: blankToNull(query.type),
    judged: query.judged,
    stale: query.stale,
    code: blankToNull(query.code),
    text: blankToNull(query.text),
  }
}

function blankToNull(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text.trim()
}
