import { type RawBuilder, sql } from 'kysely'
import type { HeldValue } from '../core/matching/candidate.ts'
import type { Cells } from '../core/matching/mapped-record.ts'
import type { Db } from './connect.ts'
import { readCursor } from './read-cursor.ts'
import type { ItemState } from './tables/item.table.ts'
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
  /** A person or a file said so, not a run. */
  readonly judged: boolean
  /** Judged, and the record, the mapping or the item changed since. */
  readonly stale: boolean
  /** What has become of its item, as last checked. */
  readonly itemState: ItemState | null
  readonly mergedInto: string | null
  readonly by: string | null
  readonly at: Date | null
  readonly score: number | null
  readonly margin: number | null
  readonly runnerUp: string | null
  readonly rule: string | null
  readonly reason: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** What its item states, by property, as far as it was fetched. */
  readonly held: Readonly<Record<string, readonly HeldValue[]>> | null
}

export interface ResultQuestion {
  readonly projectId: number
  readonly datasetId: number
  /** Where the labels come from. */
  readonly service: string
  /** Only these values of `match_status`; empty: all. */
  readonly statuses: readonly string[]
  readonly includeAbsent: boolean
  /** Of the matched items; default none. */
  readonly properties?: readonly string[]
}

/** Every entry in file order, absent ones last; all pages show the same moment. */
export async function readResults(
  db: Db,
  question: ResultQuestion,
  onPage: (page: readonly EntryResult[]) => Promise<void>,
): Promise<void> {
  await readCursor(db, resultsQuery<EntryResult>(question, sql``, sql``), onPage)
}

/**
 * The same with more of each entry.
 * @param columns begin with a comma; `e` is the entry, `r` its result, `i` its item
 * @param joins further tables, at most one row per entry
 */
export function resultsQuery<Row extends EntryResult>(
  question: ResultQuestion,
  columns: RawBuilder<unknown>,
  joins: RawBuilder<unknown>,
): RawBuilder<Row> {
  const { projectId, datasetId, service, statuses, includeAbsent, properties = [] } = question
  const held = properties.length === 0 ? sql`null` : heldValues(service, properties)
  return sql<Row>`
    select e.external_id as "externalId", e.source, e.raw, e.absent_since as "absentSince",
      r.match_qid as qid, i.label, i.description, coalesce(r.match_status, 'new') as status,
      r.judgment_id is not null as judged, coalesce(r.stale, false) as stale,
       i.state as "itemState", i.merged_into as "mergedInto",
      r.match_by as by, r.match_at as at, ${ofResult(sql`r.score`)} as score,
      ${ofResult(sql`r.margin`)} as margin, ${ofResult(sql`r.runner_up`)} as "runnerUp", r.rule,
      r.reason, r.error_code as "errorCode", r.error_message as "errorMessage",
      ${held} as held ${columns}
    from entry e
    left join result r on r.project_id = ${projectId}::bigint and r.entry_id = e.id
    left join item i
      on i.service = coalesce(r.service, ${service}::text) and i.external_id = r.match_qid
    ${joins}
    where e.dataset_id = ${datasetId}::bigint
      and (e.absent_since is null or ${includeAbsent}::boolean)
      and (${statuses}::text[] = '{}' or coalesce(r.match_status, 'new') = any(${statuses}::text[]))
    order by e.absent_since is not null, e.position, e.id`
}

/** What a run computed is of its own best candidate, and says nothing of another item that a person chose. */
function ofResult(computed: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when r.judgment_id is null or r.match_qid = r.best_external_id then ${computed} end`
}

function heldValues(service: string, properties: readonly string[]): RawBuilder<unknown> {
  return sql`(
    select jsonb_object_agg(v.property, v.held) from item_value v
    where v.service = coalesce(r.service, ${service}::text) and v.external_id = r.match_qid
      and v.property = any(${properties}::text[]) and v.held is not null)`
}
