/** Runs and tasks of a project in pages. */
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import type { TaskTable } from './tables/task.table.ts'

/** Numbers of runs, the latest first. @param before null: from the latest */
export async function runNumbers(
  db: Db,
  projectId: number,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('run')
    .where('project_id', '=', projectId)
    .$if(before !== null, (query) => query.where('number', '<', before ?? 0))
    .select('number')
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ number }) => number)
}

/** A task as it is told outside: references, never data. */
export interface ListedTask {
  readonly number: number
  readonly round: number
  readonly kind: TaskTable['kind']
  readonly status: 'open' | 'done' | 'failed'
  /** Requests of it that left this machine. */
  readonly requests: number
  /** The most failed attempts that one of its questions had. */
  readonly failedAttempts: number
  readonly entryIds: readonly number[]
}

/** In order of their numbers. @param after 0: from the first */
export async function taskPage(
  db: Db,
  runId: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly ListedTask[]> {
  const { rows } = await sql<ListedTask>`
    select t.number, t.round, t.kind, t.status,
      coalesce(told.requests, 0) as requests,
      coalesce(told.failed, 0) as "failedAttempts",
      coalesce(records.ids, '[]') as "entryIds"
    from (
      select * from task where run_id = ${runId}::bigint and number > ${after}::integer
      order by number limit ${limit}::integer
    ) as t
    left join lateral (
      select json_agg(s.entry_id order by s.id) as ids from subject s
      where s.run_id = t.run_id and s.task_number = t.number
    ) as records on true
    left join (
      select a.task_number, count(*)::integer as requests,
        count(*) filter (where a.outcome = 'transient')::integer as failed
      from attempt a where a.run_id = ${runId}::bigint and a.task_number > ${after}::integer
        and a.task_number <= ${after + limit * 50}::integer
      group by a.task_number
    ) as told on told.task_number = t.number
    order by t.number`.execute(db)
  return rows
}
