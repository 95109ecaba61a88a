/**
 * How a plan writes: it reads what is to be done once, as of one moment, and writes it page by page in transactions of
 * their own. So it can be stopped between two pages, and a repetition does what is left.
 */
import { type RawBuilder, sql } from 'kysely'

export interface PlanPages {
  /** Rows of one transaction. */
  readonly rows: number
  /** Called after each; may throw to stop. */
  readonly onPage: () => void
}

/** Some tenths of a second each. */
const ROWS = 5_000

export function planPages(onPage: () => void = () => undefined): PlanPages {
  return { rows: ROWS, onPage }
}

/** Only one attempt queues for a run: one that was given up but still goes on is waited for, to its end. */
export function queueLock(runId: number): RawBuilder<unknown> {
  return sql`select pg_advisory_lock(hashtext('record-linker queue'), ${runId}::integer)`
}

/** The same for dealing its tasks. */
export function dealLock(runId: number): RawBuilder<unknown> {
  return sql`select pg_advisory_lock(${runId}::bigint)`
}
