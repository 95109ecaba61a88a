import { sql } from 'kysely'
import type { ExtractEnd, ExtractOptions } from '../core/extract/extract-run.ts'
import { datasetNameOf, type SourceProfile } from '../core/extract/source-profile.ts'
import { defaultRunOptions } from '../core/run.ts'
import type { Db } from './connect.ts'
import type { ExtractRunRow } from './tables/extract-run.table.ts'

/** One extraction, as everybody outside src/db sees it. */
export interface ExtractRun {
  readonly id: number
  readonly source: string
  readonly dataset: string
  readonly profile: SourceProfile
  readonly types: readonly string[]
  readonly options: ExtractOptions
  readonly temporalRunId: string | null
  readonly status: 'open' | ExtractEnd
  readonly pausedReason: string | null
  readonly isCancelRequested: boolean
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly itemsPerSecond: number | null
  readonly startedAt: Date
  readonly endedAt: Date | null
}

export interface NewExtractRun {
  readonly dataset: string
  readonly profile: SourceProfile
  readonly types: readonly string[]
  readonly options: ExtractOptions
}

/**
 * Makes a run with a checkpoint per type. Its workflow is started next: a run whose workflow Temporal does not know was
 * never begun, and can be resumed like any other.
 * @returns undefined while another run of the source, or into the dataset, is open
 */
export async function createExtractRun(db: Db, run: NewExtractRun): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto('extract_run')
      .values({
        source: run.profile.name,
        dataset: run.dataset,
        profile: JSON.stringify(run.profile),
        types: JSON.stringify(run.types),
        options: JSON.stringify(run.options),
        worker_count: run.options.config.workers,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return undefined
    await tx
      .insertInto('extract_checkpoint')
      .values(
        run.types.map((type) => ({
          run_id: row.id,
          type,
          dataset: datasetNameOf(run.profile, run.dataset, type),
          page_size: run.options.config.batchSize,
        })),
      )
      .execute()
    return row.id
  })
}

export async function findExtractRun(db: Db, id: number): Promise<ExtractRun | undefined> {
  const row = await db.selectFrom('extract_run').where('id', '=', id).selectAll().executeTakeFirst()
  return row === undefined ? undefined : toRun(row)
}

/** The open run of a source or into a dataset. */
export async function openExtractRun(
  db: Db,
  { source, dataset }: { readonly source: string; readonly dataset: string },
): Promise<ExtractRun | undefined> {
  const row = await db
    .selectFrom('extract_run')
    .where('status', '=', 'open')
    .where((eb) => eb.or([eb('source', '=', source), eb('dataset', '=', dataset)]))
    .selectAll()
    .orderBy('id')
    .executeTakeFirst()
  return row === undefined ? undefined : toRun(row)
}

/** The last ones first. */
export async function listExtractRuns(db: Db, most: number): Promise<readonly ExtractRun[]> {
  const rows = await db
    .selectFrom('extract_run')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map(toRun)
}

/**
 * Gives an open run to the execution that takes it up; repeatable.
 * @returns false: it is not open, or another execution has it
 */
export async function takeUpExtract(
  db: Db,
  { runId, temporalRunId }: { readonly runId: number; readonly temporalRunId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('extract_run')
    .set({ temporal_run_id: temporalRunId })
    .where('id', '=', runId)
    .where('status', '=', 'open')
    .where((eb) =>
      eb.or([eb('temporal_run_id', 'is', null), eb('temporal_run_id', '=', temporalRunId)]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** For an execution that begins; one that runs keeps what it began with. */
export async function setExtractOptions(
  db: Db,
  runId: number,
  options: ExtractOptions,
): Promise<void> {
  await db
    .updateTable('extract_run')
    .set({ options: JSON.stringify(options), worker_count: options.config.workers })
    .where('id', '=', runId)
    .execute()
}

/** Of the execution that was cancelled: a run that was resumed since goes on in another one. */
export async function noteExtractCancel(
  db: Db,
  { runId, temporalRunId }: { readonly runId: number; readonly temporalRunId: string },
): Promise<void> {
  await db
    .updateTable('extract_run')
    .set({ cancel_requested_at: sql<Date>`now()` })
    .where('id', '=', runId)
    .where('temporal_run_id', '=', temporalRunId)
    .where('status', '=', 'open')
    .execute()
}

export interface ExtractEnding {
  readonly status: ExtractEnd
  readonly code: string | null
  readonly message: string | null
}

/** Closes an open run; one that is closed stays as it is. Throughput is rows over all the time since it was started. */
export async function endExtractRun(db: Db, runId: number, ending: ExtractEnding): Promise<void> {
  await sql`
    update extract_run r
    set status = ${ending.status}::text, error_code = ${ending.code}::text,
      error_message = ${ending.message}::text, paused_reason = null, ended_at = now(),
      throughput_items_per_second = (
        select nullif(sum(c.rows_done), 0) / greatest(extract(epoch from now() - r.started_at), 0.001)
        from extract_checkpoint c where c.run_id = r.id)
    where r.id = ${runId}::bigint and r.status = 'open'`.execute(db)
}

/** Of runs of versions that did not know it. */
const notKnownBefore = { giveUpAfterMs: defaultRunOptions.giveUpAfterMs, rereads: 0 }

function toRun(row: ExtractRunRow): ExtractRun {
  return {
    id: row.id,
    source: row.source,
    dataset: row.dataset,
    profile: row.profile,
    types: row.types,
    options: { ...notKnownBefore, ...row.options },
    temporalRunId: row.temporal_run_id,
    status: row.status,
    pausedReason: row.paused_reason,
    isCancelRequested: row.cancel_requested_at !== null,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    itemsPerSecond: row.throughput_items_per_second,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}
