/** A query for the places of records in a part of an order, written so that an index is walked. */
import { type RawBuilder, sql } from 'kysely'
import { type EntryChoice, fromEntries } from './chosen-entries.ts'
import type { JudgmentSet } from './current-judgment.ts'
import type { EntryOrder, OrderLines, OrderPart } from './entry-order.ts'

/** Where a page begins: behind this record. */
export interface EntryKey {
  /** Of the order (`entry-order.ts`). */
  readonly value: number
  readonly position: number
  readonly entryId: number
}

export interface EntryPageRequest extends EntryChoice {
  readonly thresholds: OrderLines
  readonly order: EntryOrder
  /** Null: from the first. */
  readonly after: EntryKey | null
  /** The page before that record, last record first. */
  readonly backwards?: boolean
  readonly limit: number
}

/**
 * Records of a part of an order, as `id`, `position` and `value`.
 * @param last a record behind which none is looked for; null: any
 * @param isWhole not only as many as a page can have: a limit would tempt the planner to walk through the order
 */
export function placeQuery(
  request: EntryPageRequest,
  { where, value, by }: OrderPart,
  set: JudgmentSet,
  last: EntryKey | null,
  isWhole: boolean,
): RawBuilder<unknown> {
  const { limit, after, order, backwards = false } = request
  const up = backwards ? sql`desc` : sql`asc`
  const behind = backwards ? sql`<` : sql`>`
  const place = sql`e.position ${up}, e.id ${up}`
  const isDown = by?.kind === 'score' && (by.way === 'down') !== backwards
  const sorted =
    order === 'file'
      ? place
      : by?.kind === 'score'
        ? sql`d.score ${isDown ? sql`desc` : sql`asc`}, ${place}`
        : sql`${value} ${up}, ${place}`
  const isBehind =
    after === null
      ? sql``
      : order === 'file'
        ? sql` and (e.position, e.id) ${behind} (${after.position}::bigint, ${after.entryId}::bigint)`
        : sql` and (${value}, e.position, e.id)
            ${behind} (${after.value}::float8, ${after.position}::bigint, ${after.entryId}::bigint)`
  const range = backwards ? valueRange(by, last, after) : valueRange(by, after, last)
  return sql`
    select e.id, e.position, ${value} as value
    ${fromEntries(request, set, by === null ? 'place' : 'score')} and ${where}${range}${isBehind}
    ${isWhole ? sql`` : sql`order by ${sorted} limit ${limit}::integer`}`
}

/** What indexes and statistics understand of records from one to another; null: without an end. */
function valueRange(
  by: OrderPart['by'],
  from: EntryKey | null,
  to: EntryKey | null,
): RawBuilder<unknown> {
  if (from === null && to === null) return sql``
  if (by === null) {
    // All have the same value.
    const [least, most] = [from?.position ?? 0, to?.position ?? Number.MAX_SAFE_INTEGER]
    return sql` and e.position between ${least}::bigint and ${most}::bigint`
  }
  const least = from?.value ?? -Infinity
  const most = to?.value ?? Infinity
  const { line } = by
  if (by.kind === 'lead') {
    const nearest = Math.max(0, least)
    return sql` and (d.margin between ${line - most}::real and ${line - nearest}::real
      or d.margin between ${line + nearest}::real and ${line + most}::real)`
  }
  return by.way === 'up'
    ? sql` and d.score between ${line + least}::real and ${line + most}::real`
    : sql` and d.score between ${line - most}::real and ${line - least}::real`
}
