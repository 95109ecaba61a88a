import { Client } from 'pg'

const LONGEST_INTERVAL_MS = 15_000

export interface IdleWatch {
  readonly stop: () => void
}

/**
 * Tells once when there was neither a client nor an open run for so long.
 * @param idleMs above 0
 */
export function watchIdleness(
  idleMs: number,
  isBusy: () => Promise<boolean>,
  onIdle: () => void,
): IdleWatch {
  let busyAt = performance.now() // does not count the time that the machine sleeps
  let asking = false
  const look = async () => {
    if (asking) return
    asking = true
    if (await isBusy()) busyAt = performance.now()
    else if (performance.now() - busyAt >= idleMs) {
      clearInterval(timer)
      onIdle()
    }
    asking = false
  }
  const timer = setInterval(() => void look(), Math.min(LONGEST_INTERVAL_MS, idleMs / 4))
  return { stop: () => clearInterval(timer) }
}

/**
 * Whether a run is open, files are to be fetched, or the end of a run is being told, something that is no run (an extension) asked somebody lately, or a
 * schedule is to start one.
 * When the database cannot say: yes, as nothing may end that could be at work.
 */
export async function hasOpenRun(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined) // the query reports it
  try {
    await client.connect()
    const found = await client.query(
      `select 1 where exists (select 1 from run where status = 'open') or exists (
         select 1 from attempt where run_id is null and attempted_at > now() - interval '1 minute')
       or exists (select 1 from jobs j join download_queues q on q.name = j.queue
         where q.temporal_run_id is not null and q.paused_reason is null and j.state in ('queued', 'in_progress'))
       or exists (select 1 from run_end_action where status = 'started' and updated_at > now() - interval '30 minutes')
       or exists (select 1 from schedule where not is_paused)`,
    )
    return found.rowCount !== 0
  } catch {
    return true
  } finally {
    await client.end().catch(() => undefined) // it never connected
  }
}
