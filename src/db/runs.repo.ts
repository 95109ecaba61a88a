import { type RawBuilder, sql } from 'kysely'
import { defaultRunOptions, type RunOptions, type RunPlan } from '../core/run.ts'
import type { Db } from './connect.ts'
import type { RunRow, RunStatus } from './tables/run.table.ts'

/** One execution of a project's match, as everybody outside src/db sees it. */
export interface Run {
  readonly id: number
  readonly projectId: number
  readonly number: number
  readonly workflowId: string
  /** Temporal's first run id. */
  readonly temporalRunId: string
  readonly status: RunStatus
  readonly settingsRevision: number
  readonly options: RunOptions
  readonly isSample: boolean
  /** Answers from before this moment are asked for again; null: none are. */
  readonly refreshBefore: Date | null
  readonly pausedReason: string | null
  /** It is being cancelled, or was. */
  readonly isCancelRequested: boolean
  readonly plan: RunPlan | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly startedAt: Date
  readonly endedAt: Date | null
}

export interface NewRun {
  readonly projectId: number
  readonly workflowId: string
  readonly temporalRunId: string
  readonly settingsRevision: number
  readonly options: RunOptions
}

/**
 * Opens the run of a workflow execution, or returns the one it has opened before. A run that another execution left
 * open has ended without saying so (terminated, lost): it is closed as such, since one workflow id runs once at a time.
 */
export async function openRun(db: Db, run: NewRun): Promise<Run> {
  return db.transaction().execute(async (tx) => {
    await sql`select id from project where id = ${run.projectId}::bigint for update`.execute(tx)
    const existing = await tx
      .selectFrom('run')
      .where('project_id', '=', run.projectId)
      .where('temporal_run_id', '=', run.temporalRunId)
      .selectAll()
      .executeTakeFirst()
    if (existing !== undefined) return toRun(existing)
    await returnStanding(tx, sql`r.project_id = ${run.projectId}::bigint and r.status = 'open'`)
    await tx
      .updateTable('run')
      .set({
        status: 'terminated',
        ended_at: new Date(),
        error_code: 'terminated',
        error_message: 'The workflow ended without closing its run.',
      })
      .where('project_id', '=', run.projectId)
      .where('status', '=', 'open')
      .execute()
    const last = await tx
      .selectFrom('run')
      .where('project_id', '=', run.projectId)
      .select((eb) => eb.fn.max('number').as('number'))
      .executeTakeFirst()
    const row = await tx
      .insertInto('run')
      .values({
        project_id: run.projectId,
        number: (last?.number ?? 0) + 1,
        workflow_id: run.workflowId,
        temporal_run_id: run.temporalRunId,
        settings_revision: run.settingsRevision,
        options: JSON.stringify(run.options),
        is_sample: run.options.limit !== null || run.options.sample !== null,
        refresh_before: momentBefore(run.options.refreshOlderThanMs ?? null),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toRun(row)
  })
}

export async function findRun(db: Db, runId: number): Promise<Run | undefined> {
  const row = await db.selectFrom('run').where('id', '=', runId).selectAll().executeTakeFirst()
  return row === undefined ? undefined : toRun(row)
}

/** The run that a workflow execution has opened; undefined until it has. */
export async function findRunByExecution(db: Db, temporalRunId: string): Promise<Run | undefined> {
  const row = await db
    .selectFrom('run')
    .where('temporal_run_id', '=', temporalRunId)
    .selectAll()
    .executeTakeFirst()
  return row === undefined ? undefined : toRun(row)
}

/** @param run its number, or Temporal's first run id */
export async function findRunOfProject(
  db: Db,
  projectId: number,
  run: string,
): Promise<Run | undefined> {
  const row = await db
    .selectFrom('run')
    .where('project_id', '=', projectId)
    .where((eb) =>
      /^[1-9]\d{0,8}$/.test(run) ? eb('number', '=', Number(run)) : eb('temporal_run_id', '=', run),
    )
    .selectAll()
    .executeTakeFirst()
  return row === undefined ? undefined : toRun(row)
}

/** Whether a run is open. @param projectId null: of any project */
export async function hasOpenRun(db: Db, projectId: number | null): Promise<boolean> {
  const open = db.selectFrom('run').where('status', '=', 'open').select('id').limit(1)
  const row = await (
    projectId === null ? open : open.where('project_id', '=', projectId)
  ).executeTakeFirst()
  return row !== undefined
}

/** The open run of a project, else its last one. */
export async function latestRun(db: Db, projectId: number): Promise<Run | undefined> {
  const row = await db
    .selectFrom('run')
    .where('project_id', '=', projectId)
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : toRun(row)
}

export async function storeRunPlan(db: Db, runId: number, plan: RunPlan): Promise<void> {
  await db
    .updateTable('run')
    .set({ plan: JSON.stringify(plan) })
    .where('id', '=', runId)
    .execute()
}

/**
 * Notes that Temporal has taken the command to cancel a run. The fetch guard reads it: a worker that starts over a cancelled
 * run has its tasks before it has the cancellation. Nothing takes it back, so it must be of this run and of no later one.
 * @param temporalRunId of the execution that was cancelled
 */
export async function noteCancelRequested(db: Db, temporalRunId: string): Promise<void> {
  await db
    .updateTable('run')
    .set({ cancel_requested_at: new Date() })
    .where('temporal_run_id', '=', temporalRunId)
    .where('status', '=', 'open')
    .execute()
}

/** Closes an open run; a closed one stays as it is. Decisions that were to be renewed stand where nothing came of it. */
export async function closeRun(
  db: Db,
  runId: number,
  end: {
    readonly status: Exclude<RunStatus, 'open'>
    readonly errorCode?: string | undefined
    readonly errorMessage?: string | undefined
  },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await returnStanding(tx, sql`r.id = ${runId}::bigint and r.status = 'open'`)
    await tx
      .updateTable('run')
      .set({
        status: end.status,
        ended_at: new Date(),
        paused_reason: null,
        error_code: end.errorCode ?? null,
        error_message: end.errorMessage ?? null,
      })
      .where('id', '=', runId)
      .where('status', '=', 'open')
      .execute()
  })
}

/** @param runs a condition on run `r` */
async function returnStanding(tx: Db, runs: RawBuilder<unknown>): Promise<void> {
  await sql`
    update subject s set status = 'COMPLETED', updated_at = now()
    from run r
    where r.id = s.run_id and s.status = 'QUEUED' and s.outcome is not null and ${runs}`.execute(tx)
}

function momentBefore(ageMs: number | null): RawBuilder<Date> | null {
  return ageMs === null ? null : sql<Date>`now() - ${ageMs}::float8 * interval '1 millisecond'`
}

function toRun(row: RunRow): Run {
  return {
    id: row.id,
    projectId: row.project_id,
    number: row.number,
    workflowId: row.workflow_id,
    temporalRunId: row.temporal_run_id,
    status: row.status,
    settingsRevision: row.settings_revision,
    // A run of an earlier version lacks the options that came since.
    options: { ...defaultRunOptions, ...row.options },
    isSample: row.is_sample,
    refreshBefore: row.refresh_before,
    pausedReason: row.paused_reason,
    isCancelRequested: row.cancel_requested_at !== null,
    plan: row.plan,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}
