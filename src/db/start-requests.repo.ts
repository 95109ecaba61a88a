import type { Db } from './connect.ts'
import { sha256 } from './sha256.ts'

export interface StartRequest {
  readonly projectId: number
  readonly key: string
  /** What was asked, in one spelling. */
  readonly asked: string
}

/**
 * The run that an equal request with this key has started.
 * @returns `other` when the key was used for something else; undefined when it is new
 */
export async function findStartRequest(
  db: Db,
  { projectId, key, asked }: StartRequest,
): Promise<{ readonly temporalRunId: string } | 'other' | undefined> {
  const row = await db
    .selectFrom('start_request')
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .select(['request_hash', 'temporal_run_id'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  return row.request_hash.equals(sha256(asked)) ? { temporalRunId: row.temporal_run_id } : 'other'
}

export async function keepStartRequest(
  db: Db,
  { projectId, key, asked }: StartRequest,
  temporalRunId: string,
): Promise<void> {
  await db
    .insertInto('start_request')
    .values({
      project_id: projectId,
      key,
      request_hash: sha256(asked),
      temporal_run_id: temporalRunId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
