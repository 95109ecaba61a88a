import { sql } from 'kysely'
import { defaultQueueOptions, type QueueOptions } from '../core/download/queue-options.ts'
import type { Db } from './connect.ts'
import type { DownloadQueueRow } from './tables/download-queue.table.ts'

/** A queue, as everybody outside src/db sees it. */
export interface DownloadQueue {
  readonly name: string
  readonly options: QueueOptions
  readonly temporalRunId: string | null
  readonly pausedReason: string | null
  readonly isCancelRequested: boolean
}

/** Makes a queue with the options of now, unless it is there. */
export async function ensureQueue(db: Db, name: string, options: QueueOptions): Promise<void> {
  await db
    .insertInto('download_queues')
    .values({ name, options: JSON.stringify(options) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function setQueueOptions(db: Db, name: string, options: QueueOptions): Promise<void> {
  await db
    .updateTable('download_queues')
    .set({ options: JSON.stringify(options), updated_at: sql<Date>`now()` })
    .where('name', '=', name)
    .execute()
}

export async function findQueue(db: Db, name: string): Promise<DownloadQueue | undefined> {
  const row = await db
    .selectFrom('download_queues')
    .where('name', '=', name)
    .selectAll()
    .executeTakeFirst()
  return row === undefined ? undefined : toQueue(row)
}

/** By name. */
export async function listQueues(db: Db): Promise<readonly DownloadQueue[]> {
  const rows = await db.selectFrom('download_queues').selectAll().orderBy('name').execute()
  return rows.map(toQueue)
}

/**
 * Gives the queue to an execution, and back to it what an earlier one left under way: what still runs there changes
 * nothing any more. Repeatable before the first claim.
 */
export async function takeUpQueue(
  db: Db,
  { queue, temporalRunId }: { readonly queue: string; readonly temporalRunId: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isNew: boolean }>`
      update download_queues q
      set temporal_run_id = ${temporalRunId}::text, updated_at = now(),
        cancel_requested_at = case when old.is_new then null else q.cancel_requested_at end
      from (
        select name, temporal_run_id is distinct from ${temporalRunId}::text as is_new
        from download_queues where name = ${queue}::text for update
      ) as old
      where q.name = old.name
      returning old.is_new as "isNew"`.execute(tx)
    if (rows[0]?.isNew === true) await handBackAll(tx, queue)
  })
}

/** Everything that is under way waits again; attempts that still run have lost their token. */
export async function handBackAll(db: Db, queue: string): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ state: 'queued', claim: null, attempt_token: null, updated_at: sql<Date>`now()` })
    .where('queue', '=', queue)
    .where('state', '=', 'in_progress')
    .execute()
}

/** Nobody works on the queue any more; what was under way waits for the next run. */
export async function releaseQueue(
  db: Db,
  { queue, temporalRunId }: { readonly queue: string; readonly temporalRunId: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('download_queues')
      .set({ temporal_run_id: null, cancel_requested_at: null, updated_at: sql<Date>`now()` })
      .where('name', '=', queue)
      .where('temporal_run_id', '=', temporalRunId)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await handBackAll(tx, queue)
  })
}

/** Sets or clears why a queue stands still; read before anything is asked for it. */
export async function setQueuePaused(db: Db, name: string, reason: string | null): Promise<void> {
  await db
    .updateTable('download_queues')
    .set({ paused_reason: reason, updated_at: sql<Date>`now()` })
    .where('name', '=', name)
    .execute()
}

/** Of the execution that is cancelled, and of no later one. */
export async function noteQueueCancel(
  db: Db,
  { queue, temporalRunId }: { readonly queue: string; readonly temporalRunId: string },
): Promise<void> {
  await db
    .updateTable('download_queues')
    .set({ cancel_requested_at: sql<Date>`now()` })
    .where('name', '=', queue)
    .where('temporal_run_id', '=', temporalRunId)
    .execute()
}

function toQueue(row: DownloadQueueRow): DownloadQueue {
  return {
    name: row.name,
    // Of versions that did not know all of them.
    options: { ...defaultQueueOptions, ...row.options },
    temporalRunId: row.temporal_run_id,
    pausedReason: row.paused_reason,
    isCancelRequested: row.cancel_requested_at !== null,
  }
}
