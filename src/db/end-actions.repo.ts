import { sql } from 'kysely'
import type { EndAction, EndActionKind, EndActionState } from '../core/end-action.ts'
import type { Db } from './connect.ts'

/** Keeps what is to be done at the end of runs of a project. @returns its id, the same for the same action */
export async function keepEndAction(
  db: Db,
  projectId: number,
  { command, webhook }: EndAction,
): Promise<number> {
  const values = {
    project_id: projectId,
    command: command?.line ?? null,
    folder: command?.folder ?? null,
    webhook,
  }
  return db.transaction().execute(async (tx) => {
    await sql`select id from project where id = ${projectId}::bigint for update`.execute(tx)
    const kept = await tx
      .selectFrom('end_action')
      .where('project_id', '=', projectId)
      .where('command', 'is not distinct from', values.command)
      .where('folder', 'is not distinct from', values.folder)
      .where('webhook', 'is not distinct from', values.webhook)
      .select('id')
      .executeTakeFirst()
    const { id } =
      kept ??
      (await tx.insertInto('end_action').values(values).returning('id').executeTakeFirstOrThrow())
    return id
  })
}

/** Only of that project: an id in the input of a workflow gives nobody the action of another. */
export async function findEndAction(
  db: Db,
  projectId: number,
  id: number,
): Promise<EndAction | undefined> {
  const row = await db
    .selectFrom('end_action')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .select(['command', 'folder', 'webhook'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { command, folder, webhook } = row
  return {
    command: command === null || folder === null ? null : { line: command, folder },
    webhook,
  }
}

/** Notes that it is begun. @returns which attempt this is, from 1; null when it is over already */
export async function beginEndAction(
  db: Db,
  runId: number,
  kind: EndActionKind,
): Promise<number | null> {
  const { rows } = await sql<{ attempts: number }>`
    insert into run_end_action (run_id, kind, status) values (${runId}::bigint, ${kind}::text, 'started')
    on conflict (run_id, kind) do update
    set attempts = run_end_action.attempts + 1, updated_at = now()
    where run_end_action.status = 'started'
    returning attempts`.execute(db)
  return rows[0]?.attempts ?? null
}

/** Notes how it went: over, or still to be repeated with what went wrong. */
export async function noteEndAction(
  db: Db,
  runId: number,
  { kind, ...state }: Omit<EndActionState, 'attempts'> & { readonly attempts?: number },
): Promise<void> {
  await db
    .updateTable('run_end_action')
    .set({ ...state, updated_at: new Date() })
    .where('run_id', '=', runId)
    .where('kind', '=', kind)
    .execute()
}

export async function endActionsOf(db: Db, runId: number): Promise<readonly EndActionState[]> {
  return db
    .selectFrom('run_end_action')
    .where('run_id', '=', runId)
    .select(['kind', 'status', 'attempts', 'code', 'message'])
    .orderBy('kind')
    .execute()
}
