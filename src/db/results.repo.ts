import { sql } from 'kysely'
import type { Cells } from '../core/matching/mapped-record.ts'
import type { Db } from './connect.ts'
import type { ResultView } from './tables/result.table.ts'

/** An entry of a project with what is known about its match. */
export interface EntryResult {
  readonly externalId: string
  readonly source: Cells
  readonly raw: string | null
  readonly absentSince: Date | null
  readonly qid: string | null
  readonly label: string | null
  readonly description: string | null
  readonly status: ResultView['match_status']
  readonly by: string | null
  readonly at: Date | null
  readonly score: number | null
  readonly margin: number | null
  readonly runnerUp: string | null
  readonly rule: string | null
  readonly reason: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
}

export interface ResultQuestion {
  readonly projectId: number
  readonly datasetId: number
  /** Where the labels come from. */
  readonly service: string
  /** Only these values of `match_status`; empty: all. */
  readonly statuses: readonly string[]
  readonly includeAbsent: boolean
}

const ROWS_PER_FETCH = 1000

/** Every entry in file order, absent ones last; all pages show the same moment. */
export async function readResults(
  db: Db,
  question: ResultQuestion,
  onPage: (page: readonly EntryResult[]) => Promise<void>,
): Promise<void> {
  const { projectId, datasetId, service, statuses, includeAbsent } = question
  await db.transaction().execute(async (tx) => {
    await sql`
      declare entry_result no scroll cursor for
      select e.external_id as "externalId", e.source, e.raw, e.absent_since as "absentSince",
        r.match_qid as qid, i.label, i.description, coalesce(r.match_status, 'new') as status,
        r.match_by as by, r.match_at as at, r.score, r.margin, r.runner_up as "runnerUp", r.rule, r.reason,
        r.error_code as "errorCode", r.error_message as "errorMessage"
      from entry e
      left join result r on r.project_id = ${sql.lit(projectId)} and r.entry_id = e.id
      left join item i on i.service = ${sql.lit(service)} and i.external_id = r.match_qid
      where e.dataset_id = ${sql.lit(datasetId)}
        and (e.absent_since is null or ${sql.lit(includeAbsent)})
        and (${sql.lit(statuses.length === 0)}
          or coalesce(r.match_status, 'new') in (select json_array_elements_text(${sql.lit(JSON.stringify(statuses))})))
      order by e.absent_since is not null, e.position, e.id`.execute(tx)
    for (;;) {
      const { rows } = await sql<EntryResult>`
        fetch ${sql.lit(ROWS_PER_FETCH)} from entry_result`.execute(tx)
      if (rows.length === 0) return
      await onPage(rows)
    }
  })
}
