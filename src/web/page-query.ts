/** Filters of a page's address, where forms repeat names and send what is empty. */
import { z } from 'zod'
import { type EntryQuery, entryQueryShape } from './entry-query.ts'
import { invalidRequest } from './problem.ts'

const reviewShape = z.object({
  ...entryQueryShape,
  /** A record by its id. */
  entry: z.string().max(2_000).optional(),
  /** The first behind this place of the queue, or the last before it. */
  from: z.string().max(200).optional(),
  before: z.string().max(200).optional(),
  /** Leaves out rows equal to the one that this is of. */
  unlike: z
    .string()
    .regex(/^[\da-f]{16}$/, 'expected 16 hexadecimal digits')
    .optional(),
  /** A page of a list goes on here. */
  after: z.string().max(200).optional(),
  /** Hides scores. */
  blind: z.enum(['1']).optional(),
  /** Shows pictures of candidates. */
  pictures: z.enum(['1']).optional(),
  audit: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'expected the number of an audit')
    .transform(Number)
    .optional(),
  /** All candidates. */
  all: z.enum(['1']).optional(),
  /** Only the card, for the script. */
  part: z.enum(['card']).optional(),
  /** The act that was just done. */
  done: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'expected the number of an act')
    .transform(Number)
    .optional(),
  /** What was just said, in a word. */
  said: z.string().max(300).optional(),
})
export type PageQuery = z.output<typeof reviewShape>

/** What makes a view, and no more: kept in links from record to record. */
const KEPT = [
  'status',
  'min_score',
  'max_score',
  'min_margin',
  'max_margin',
  'candidates',
  'type',
  'judged',
  'stale',
  'code',
  'text',
  'order',
  'blind',
  'pictures',
  'audit',
] as const

/** @throws ProblemError `invalid_request` */
export function readPageQuery(search: URLSearchParams): PageQuery {
  const merged: Record<string, string> = {}
  for (const [name, value] of search) {
    if (value === '') continue
    merged[name] = merged[name] === undefined ? value : `${merged[name]},${value}`
  }
  const parsed = reviewShape.safeParse(merged)
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error, 'query')
}

/** The view as a query of an address, with more. */
export function viewQuery(
  query: PageQuery | EntryQuery,
  more: Readonly<Record<string, string>> = {},
): string {
  const values: Partial<
    Record<(typeof KEPT)[number], string | number | boolean | null | undefined>
  > = query
  const search = new URLSearchParams()
  for (const name of KEPT) {
    const value = values[name]
    if (value === undefined || value === null || value === '') continue
    search.set(name, typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value))
  }
  for (const [name, value] of Object.entries(more)) search.set(name, value)
  return search.toString()
}
