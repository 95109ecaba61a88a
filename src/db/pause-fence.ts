/**
 * Pausing and resuming a run in the order in which its workflow said so: an attempt that was frozen for minutes, while another
 * took its place and the run went on, must not put back what was before it.
 */
import { sql } from 'kysely'
import type { Db } from './connect.ts'

export interface PauseMove {
  readonly runId: number
  /** Null: it goes on. */
  readonly reason: string | null
  /** Of the workflow's clock, ms since 1970; undefined: of a workflow that began with a version which told none. */
  readonly atMs?: number | undefined
}

/** Sets or clears why an open run stands still, which the fetch guard reads, unless it was moved later than this. */
export async function movePause(
  db: Db,
  table: 'run' | 'extract_run',
  { runId, reason, atMs }: PauseMove,
): Promise<void> {
  const at = new Date(atMs ?? Date.now())
  await sql`
    update ${sql.table(table)} set paused_reason = ${reason}::text, pause_moved_at = ${at}::timestamptz
    where id = ${runId}::bigint and status = 'open'
      and coalesce(pause_moved_at <= ${at}::timestamptz, true)`.execute(db)
}
