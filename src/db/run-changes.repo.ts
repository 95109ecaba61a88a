import { type RawBuilder, sql } from 'kysely'
import type { Conclusion } from '../core/matching/result-change.ts'
import type { Db } from './connect.ts'
import { readCursor } from './read-cursor.ts'

/** A record as it stood after two runs, where these differ, or where its judgment has aged. */
export interface RecordThenAndNow {
  readonly externalId: string
  /** What the last run up to then concluded; null: none did. */
  readonly before: Conclusion | null
  readonly after: Conclusion | null
  /** What the item of before has been merged into; null: nothing that is known. */
  readonly mergedInto: string | null
  readonly judged: boolean
  /** Judged, and changed since. */
  readonly stale: boolean
}

export interface TwoRuns {
  readonly projectId: number
  /** Numbers of runs of the project. */
  readonly from: number
  readonly to: number
}

/** In file order; records that stand as they did are left out. */
export async function readRunChanges(
  db: Db,
  { projectId, from, to }: TwoRuns,
  onPage: (page: readonly RecordThenAndNow[]) => Promise<void>,
): Promise<void> {
  await readCursor(
    db,
    sql<RecordThenAndNow>`
      select e.external_id as "externalId", i.merged_into as "mergedInto",
        r.judgment_id is not null as judged, r.stale,
        case when a.id is not null then ${conclusion(sql`a`)} end as before,
        case
          when s.status = 'FAILED' and s.run_id = later.id then json_build_object(
            'outcome', 'failed', 'qid', null, 'rule', s.error_code, 'reason', s.error_message)
          when b.id is not null then ${conclusion(sql`b`)}
        end as after
      from subject s
      join entry e on e.id = s.entry_id
      join result r on r.subject_id = s.id
      left join run later on later.project_id = s.project_id and later.number = ${to}::integer
      left join lateral (${lastDecision(from)}) a on true
      left join lateral (${lastDecision(to)}) b on true
      left join item i on i.service = a.service and i.external_id = a.external_id
      where s.project_id = ${projectId}::bigint and e.absent_since is null
        and (r.stale or a.id is distinct from b.id or (s.status = 'FAILED' and s.run_id = later.id))
      order by e.position, e.id`,
    onPage,
  )
}

/** Records that a run which asks nobody left as they were, for want of a stored answer. */
export async function countUnanswered(db: Db, runId: number): Promise<number> {
  const { count } = await db
    .selectFrom('subject as s')
    .innerJoin('decision as d', 'd.id', 's.decision_id')
    .where('s.run_id', '=', runId)
    .where('s.status', '=', 'COMPLETED')
    .where('d.run_id', 'is distinct from', runId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Of subject `s`, by runs up to this number. */
function lastDecision(run: number): RawBuilder<unknown> {
  return sql`
    select d.* from decision d join run by_run on by_run.id = d.run_id
    where d.subject_id = s.id and by_run.number <= ${run}::integer
    order by d.id desc limit 1`
}

function conclusion(decision: RawBuilder<unknown>): RawBuilder<Conclusion> {
  return sql`json_build_object('outcome', ${decision}.outcome, 'qid', ${decision}.external_id,
    'rule', ${decision}.rule, 'reason', ${decision}.reason)`
}
