/** Records of a project page by page, filtered and in an order of people's choice. Keyset pages: each costs the same. */
import { sql } from 'kysely'
import type { Cells } from '../core/matching/mapped-record.ts'
import { type EntryChoice, fromEntries, setsOf, withType } from './chosen-entries.ts'
import type { Db } from './connect.ts'
import { areJudgmentsFew, currentJudgmentOfSubject } from './current-judgment.ts'
import { type EntryStatus, matchStatus } from './entry-filter.ts'
import { placesOfPage } from './entry-places.ts'
import type { EntryKey, EntryPageRequest } from './place-query.ts'

/** A record in a list. */
export interface ListedEntry {
  readonly entryId: number
  /** Null: the project has not looked at it yet. */
  readonly subjectId: number | null
  readonly externalId: string
  readonly position: number
  readonly cells: Cells
  readonly status: EntryStatus
  /** The item of the result. */
  readonly qid: string | null
  /** The best candidate of its decision. */
  readonly bestId: string | null
  readonly bestLabel: string | null
  readonly bestDescription: string | null
  readonly score: number | null
  readonly margin: number | null
  readonly reason: string | null
  readonly by: string | null
  readonly at: Date | null
  readonly stale: boolean
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly key: EntryKey
}

export interface EntryCount {
  readonly count: number
  /** There are no more; false: counting ended. */
  readonly isAll: boolean
}

const MOST_OF_COMMON_TYPE = 500

export async function entryPage(
  db: Db,
  request: EntryPageRequest,
): Promise<readonly ListedEntry[]> {
  const found = await placesOfPage(db, request)
  if (found.length === 0) return []
  const { rows } = await sql<Omit<ListedEntry, 'key'>>`
    select e.id as "entryId", s.id as "subjectId", e.external_id as "externalId", e.position,
      e.source as cells, ${matchStatus} as status,
      case when j.verdict = 'match' then j.external_id
        when j.id is null and s.outcome = 'matched' and s.status in ('COMPLETED', 'QUEUED') then d.external_id
      end as qid,
      d.external_id as "bestId", d.evidence #>> '{candidates,0,label}' as "bestLabel",
      d.evidence #>> '{candidates,0,description}' as "bestDescription",
      d.score, d.margin, coalesce(j.note, d.reason) as reason, j.judged_by as by, j.judged_at as at,
      coalesce(j.match_hash <> s.match_hash or s.item_changed_at > j.judged_at, false) as stale,
      s.error_code as "errorCode", s.error_message as "errorMessage"
    from unnest(${found.map(({ entryId }) => entryId)}::bigint[]) with ordinality as page (id, place)
    join entry e on e.id = page.id
    left join subject s on s.entry_id = e.id and s.project_id = ${request.projectId}::bigint
    left join decision d on d.id = s.decision_id
    ${currentJudgmentOfSubject}
    order by page.place`.execute(db)
  const keys = new Map(found.map((key) => [key.entryId, key]))
  return rows.flatMap((row) => {
    const key = keys.get(row.entryId)
    return key === undefined ? [] : [{ ...row, key }]
  })
}

/** @param most counting ends there; of a common type the first ones are counted, all others would be looked at one by one */
export async function countEntries(db: Db, asked: EntryChoice, most: number): Promise<EntryCount> {
  const choice = await withType(db, asked)
  const isCommonType = choice.ofType === 'common'
  const end = isCommonType ? Math.min(most, MOST_OF_COMMON_TYPE) : most
  const sets = setsOf(choice, await areJudgmentsFew(db))
  const queries = sets.map((set) => sql`(select ${fromEntries(choice, set, 'count')})`)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from (${sql.join(queries, sql` union all `)}) as entries limit ${end + 1}::integer) as found`.execute(
    db,
  )
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, end), isAll: count <= end }
}
