import { sql } from 'kysely'
import type { Db } from './connect.ts'

/**
 * Opens a run that is over, so that it goes on where it stands: pages and items that failed are asked again, a list that
 * cannot be believed is read afresh, what is complete stays.
 * @returns false: it is complete or open, or another run of its source or dataset is open
 */
export async function reopenExtract(db: Db, runId: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      update extract_run r
      set status = 'open', temporal_run_id = null, paused_reason = null, cancel_requested_at = null,
        error_code = null, error_message = null, ended_at = null, throughput_items_per_second = null
      where r.id = ${runId}::bigint and r.status not in ('open', 'completed')
        and not exists (
          select from extract_run other
          where other.status = 'open' and (other.source = r.source or other.dataset = r.dataset))`.execute(
      tx,
    )
    if (numAffectedRows === 0n) return false
    const isDoubtful = sql`
      exists (
        select from extract_checkpoint c
        where c.run_id = p.run_id and c.type = p.type
          and (c.state = 'unstable' or c.problem is not null or c.code = 'no_id'))`
    await sql`
      delete from extract_item p where p.run_id = ${runId}::bigint and ${isDoubtful}`.execute(tx)
    await sql`
      delete from extract_page p
      where p.run_id = ${runId}::bigint and (p.state <> 'stored' or ${isDoubtful})`.execute(tx)
    await sql`
      update extract_page p set details_done = false
      where p.run_id = ${runId}::bigint and exists (
        select from extract_item i
        where i.run_id = p.run_id and i.type = p.type and i.position = p.position
          and i.detail = 'failed')`.execute(tx)
    await sql`
      update extract_item set detail = 'open', attempts = 0, next_attempt_at = null
      where run_id = ${runId}::bigint and detail = 'failed'`.execute(tx)
    await sql`delete from extract_error where run_id = ${runId}::bigint`.execute(tx)
    await sql`
      update extract_checkpoint c
      set state = 'open', problem = null, code = null, message = null, completed_at = null,
        (pages_done, rows_done, rows_without_id, first_total, last_total) = (
          select count(*), coalesce(sum(p.rows), 0),
            case when count(*) = 0 then 0 else c.rows_without_id end,
            case when count(*) = 0 then null else c.first_total end,
            case when count(*) = 0 then null else c.last_total end
          from extract_page p where p.run_id = c.run_id and p.type = c.type)
      where c.run_id = ${runId}::bigint
        and (c.state <> 'complete' or exists (
          select from extract_item i
          where i.run_id = c.run_id and i.type = c.type and i.detail = 'open'))`.execute(tx)
    return true
  })
}
