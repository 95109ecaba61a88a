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
  /** Each record of it has a score. */
  readonly isScored: boolean
  /** The value is so much less the score, so that the greatest score is first; null: it is no such value. */
  readonly lessScore: number | null
}

export interface OrderStage {
  readonly parts: readonly OrderPart[]
  /** Values of it; null: all that no other stage has. */
  readonly only: number | null
}

export function orderStages(order: EntryOrder, { match, lead }: OrderLines): readonly OrderStage[] {
  const plain = sql<boolean>`true`
  if (order === 'file') {
    return [
      {
        parts: [{ where: plain, value: sql`0::float8`, isScored: false, lessScore: null }],
        only: null,
      },
    ]
  }
  const scored = sql`d.score is not null`
  if (order === 'score') {
    const best: OrderPart = {
      where: scored,
      value: sql`-d.score::float8`,
      isScored: true,
      lessScore: 0,
    }
    return [{ parts: [best], only: null }, without(1)]
  }
  const below: OrderPart = {
    where: sql`${scored} and d.score < ${match}::real`,
    value: sql`(${match}::float8 - d.score::float8)`,
    isScored: true,
    lessScore: match,
  }
  const above: OrderPart = {
    where: sql`${scored} and d.score >= ${match}::real`,
    value: sql`least(d.score::float8 - ${match}::float8, abs(d.margin::float8 - ${lead}::float8))`,
    isScored: true,
    lessScore: null,
  }
  return [{ parts: [below, above], only: null }, without(101)]
}

/** Those without a score come last. */
function without(value: number): OrderStage {
  const part: OrderPart = {
    where: sql`d.score is null`,
    value: sql`${sql.lit(value)}::float8`,
    isScored: false,
    lessScore: null,
  }
  return { parts: [part], only: value }
}
