/**
 * Orders of records as parts that an index has in order already: a page is then read, and not sorted out of all records.
 * Stages follow each other; the parts of a stage are merged by their values.
 */
import { type RawBuilder, sql } from 'kysely'

/** `file`: as imported. `score`: best first. `doubt`: nearest to a line that decides, first. */
export const entryOrders = ['file', 'score', 'doubt'] as const
export type EntryOrder = (typeof entryOrders)[number]

/** Lines of a project, for the order `doubt`. */
export interface OrderLines {
  readonly match: number
  readonly lead: number
}

export interface OrderPart {
  /** On decision `d`. */
  readonly where: RawBuilder<unknown>
  /** Ascending: the first of an order has the least. */
  readonly value: RawBuilder<number>
  /** Null: its records need no score. */
  readonly by: ScoreWalk | LeadSearch | null
}

/** The value is the distance of the score from a line, so that an index of scores has the part in order. */
export interface ScoreWalk {
  readonly kind: 'score'
  readonly line: number
  /** From the line to smaller scores, or to greater ones. */
  readonly way: 'down' | 'up'
}

/**
 * The value is the distance of the lead from a line. No index has it in order: one would cost every decision that is
 * written. An index of scores tells leads, too, so that those near enough to be on a page are found in it alone.
 */
export interface LeadSearch {
  readonly kind: 'lead'
  readonly line: number
}

export interface OrderStage {
  readonly parts: readonly OrderPart[]
  /** Values of it; null: all that no other stage has. */
  readonly only: number | null
}

export function orderStages(order: EntryOrder, { match, lead }: OrderLines): readonly OrderStage[] {
  if (order === 'file') {
    return [{ parts: [{ where: sql`true`, value: sql`0::float8`, by: null }], only: null }]
  }
  const scored = sql`d.score is not null`
  if (order === 'score') {
    const best: OrderPart = {
      where: scored,
      value: sql`-d.score::float8`,
      by: { kind: 'score', line: 0, way: 'down' },
    }
    return [{ parts: [best], only: null }, without(1)]
  }
  const above = sql`${scored} and d.score >= ${match}::real`
  const fromMatch = sql<number>`(d.score::float8 - ${match}::float8)`
  const fromLead = sql<number>`abs(d.margin::float8 - ${lead}::float8)`
  const isByLead = sql`coalesce(${fromLead} < ${fromMatch}, false)`
  const parts: readonly OrderPart[] = [
    {
      where: sql`${scored} and d.score < ${match}::real`,
      value: sql`(${match}::float8 - d.score::float8)`,
      by: { kind: 'score', line: match, way: 'down' },
    },
    // Above the score both lines decide, and the nearer one counts.
    {
      where: sql`${above} and not ${isByLead}`,
      value: fromMatch,
      by: { kind: 'score', line: match, way: 'up' },
    },
    { where: sql`${above} and ${isByLead}`, value: fromLead, by: { kind: 'lead', line: lead } },
  ]
  return [{ parts, only: null }, without(101)]
}

/** Those without a score come last. */
function without(value: number): OrderStage {
  const part: OrderPart = {
    where: sql`d.score is null`,
    value: sql`${sql.lit(value)}::float8`,
    by: null,
  }
  return { parts: [part], only: value }
}
