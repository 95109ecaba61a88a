import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** Why a subject is due; see DESIGN §1 for the ways back to QUEUED. */
export type DueReason =
  'new' | 'cancelled' | 'left_over' | 'changed_cells' | 'changed_settings' | 'failed'

export interface DueQuestion {
  readonly projectId: number
  readonly revision: number
  /** Null before the run exists: then every QUEUED subject was left over by an earlier run. */
  readonly runId: number | null
  readonly retryFailed: boolean
}

/** Numbers of subjects by what the next run would do with them. */
export interface DueCounts {
  readonly due: Readonly<Record<DueReason, number>>
  readonly judged: number
  readonly failedWaiting: number
  readonly present: number
}

/**
 * Joins subject `s` and entry `e` and says in `due` why a subject is due, null when it is not: absent, judged, decided
 * as it stands, failed without `retryFailed`, or outside the outcomes that the project before it left over.
 */
export function subjectsWithDue(question: DueQuestion): RawBuilder<unknown> {
  const { projectId, revision, runId, retryFailed } = question
  return sql`
    select s.id, e.position, e.external_id, s.status, j.subject_id is not null as judged,
      case
        when j.subject_id is not null then null
        when p.after_project_id is not null
          and not coalesce(p.after_outcomes ? earlier.match_status, false) then null
        when s.status = 'NEW' then 'new'
        when s.status = 'CANCELLED' then 'cancelled'
        when s.status = 'QUEUED' and s.run_id is distinct from ${runId}::bigint then 'left_over'
        when s.status = 'COMPLETED' and s.decided_hash <> s.match_hash then 'changed_cells'
        when s.status = 'COMPLETED' and s.decided_revision < ${revision}::integer
          then 'changed_settings'
        when s.status = 'FAILED' and ${retryFailed}::boolean then 'failed'
      end as due
    from subject s
    join entry e on e.id = s.entry_id
    join project p on p.id = s.project_id
    left join current_judgment j on j.subject_id = s.id
    left join result earlier
      on earlier.project_id = p.after_project_id and earlier.entry_id = s.entry_id
    where s.project_id = ${projectId}::bigint and e.absent_since is null`
}

/** Counts what the next run would do; changes nothing. */
export async function countDue(db: Db, question: DueQuestion): Promise<DueCounts> {
  const { rows } = await sql<{
    due: DueReason | null
    judged: boolean
    failed: boolean
    count: number
  }>`
    select due, judged, status = 'FAILED' as failed, count(*)::integer as count
    from (${subjectsWithDue(question)}) as subjects
    group by 1, 2, 3`.execute(db)
  const sum = (picked: typeof rows) => picked.reduce((total, row) => total + row.count, 0)
  const of = (reason: DueReason) => sum(rows.filter((row) => row.due === reason))
  return {
    due: {
      new: of('new'),
      cancelled: of('cancelled'),
      left_over: of('left_over'),
      changed_cells: of('changed_cells'),
      changed_settings: of('changed_settings'),
      failed: of('failed'),
    },
    judged: sum(rows.filter((row) => row.judged)),
    failedWaiting: sum(rows.filter((row) => row.failed && !row.judged && row.due === null)),
    present: sum(rows),
  }
}
