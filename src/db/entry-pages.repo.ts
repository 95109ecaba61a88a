/** Records of a project page by page, filtered and in an order of people's choice. Keyset pages: each costs the same. */
import { type RawBuilder, sql } from 'kysely'
import type { Cells } from '../core/matching/mapped-record.ts'
import type { Db } from './connect.ts'
import { currentJudgmentOfSubject } from './current-judgment.ts'
import { type EntryFilter, type EntryStatus, entryCondition, matchStatus } from './entry-filter.ts'

/** `file`: as imported. `score`: best first. `doubt`: nearest to a line that decides, first. */
export const entryOrders = ['file', 'score', 'doubt'] as const
export type EntryOrder = (typeof entryOrders)[number]

/** Where a page begins: behind this record. */
export interface EntryKey {
  /** Of the order; 0 in file order. */
  readonly value: number
  readonly position: number
  readonly entryId: number
}

export interface EntryPageRequest {
  readonly projectId: number
  readonly datasetId: number
  /** Lines of the project, for the order `doubt`. */
  readonly thresholds: { readonly match: number; readonly lead: number }
  readonly filter: EntryFilter
  readonly order: EntryOrder
  /** Null: from the first. */
  readonly after: EntryKey | null
  /** The page before that record, last record first. */
  readonly backwards?: boolean
  /** Leaves out what this person has set back for later. */
  readonly unskippedBy?: string | undefined
  /** Only records of this audit that were not judged since it was drawn. */
  readonly auditId?: number | undefined
  /** Only records with these ids. */
  readonly ids?: readonly string[] | undefined
  readonly limit: number
}

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

type Row = Omit<ListedEntry, 'key'> & { readonly sortValue: number }

export async function entryPage(
  db: Db,
  request: EntryPageRequest,
): Promise<readonly ListedEntry[]> {
  const { limit, after, backwards = false } = request
  const value = sortValue(request)
  const direction = backwards ? sql`desc` : sql`asc`
  const keys = request.order === 'file' ? sql`e.position, e.id` : sql`${value}, e.position, e.id`
  const order =
    request.order === 'file'
      ? sql`e.position ${direction}, e.id ${direction}`
      : sql`${value} ${direction}, e.position ${direction}, e.id ${direction}`
  const begin =
    after === null
      ? sql`true`
      : request.order === 'file'
        ? sql`(${keys}) ${compare(backwards)} (${after.position}::bigint, ${after.entryId}::bigint)`
        : sql`(${keys}) ${compare(backwards)} (${after.value}::float8, ${after.position}::bigint, ${after.entryId}::bigint)`
  // The page is chosen first: to read and to judge what is known of each record is dear, and only a page of them is shown.
  const { rows } = await sql<Row>`
    with page as materialized (
      select e.id, s.id as subject_id, e.position, ${value} as sort_value
      ${fromEntries(request)} and ${begin}
      order by ${order}
      limit ${limit}::integer
    )
    select e.id as "entryId", s.id as "subjectId", e.external_id as "externalId", e.position,
      e.source as cells, ${matchStatus} as status,
      case when j.verdict = 'match' then j.external_id
        when j.id is null and s.outcome = 'matched' and s.status in ('COMPLETED', 'QUEUED') then d.external_id
      end as qid,
      d.external_id as "bestId", d.evidence #>> '{candidates,0,label}' as "bestLabel",
      d.evidence #>> '{candidates,0,description}' as "bestDescription",
      d.score, d.margin, coalesce(j.note, d.reason) as reason, j.judged_by as by, j.judged_at as at,
      coalesce(j.match_hash <> s.match_hash or s.item_changed_at > j.judged_at, false) as stale,
      s.error_code as "errorCode", s.error_message as "errorMessage", page.sort_value as "sortValue"
    from page
    join entry e on e.id = page.id
    left join subject s on s.id = page.subject_id
    left join decision d on d.id = s.decision_id
    ${currentJudgmentOfSubject}
    order by page.sort_value ${direction}, page.position ${direction}, page.id ${direction}`.execute(
    db,
  )
  return rows.map(({ sortValue: sorted, ...row }) => ({
    ...row,
    key: { value: sorted, position: row.position, entryId: row.entryId },
  }))
}

/** @param most counting ends there */
export async function countEntries(
  db: Db,
  request: Omit<EntryPageRequest, 'after' | 'limit' | 'order'>,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select 1 ${fromEntries(request)} limit ${most}::integer) as found`.execute(db)
  return rows[0]?.count ?? 0
}

/** Joins `e`, `s`, `d` and, where the condition needs it, `j`, with the condition of the request. */
function fromEntries(
  request: Pick<
    EntryPageRequest,
    'projectId' | 'datasetId' | 'filter' | 'unskippedBy' | 'auditId' | 'ids'
  >,
): RawBuilder<unknown> {
  const { projectId, datasetId, filter, unskippedBy, auditId, ids } = request
  const named = ids === undefined ? sql`` : sql` and e.external_id = any(${ids}::text[])`
  const skipped =
    unskippedBy === undefined
      ? sql``
      : sql` and not exists (select from review_skip k
          where k.subject_id = s.id and k.skipped_by = ${unskippedBy}::text)`
  const audited =
    auditId === undefined
      ? sql``
      : sql` and exists (
          select from audit_record a join audit u on u.id = a.audit_id
          where a.audit_id = ${auditId}::bigint and a.subject_id = s.id
            and not coalesce(j.judged_at > u.drawn_at, false))`
  // Filters on what only a subject has are found by an index of subjects.
  const join = needsSubject(request) ? sql`join` : sql`left join`
  return sql`
    from entry e
    ${join} subject s on s.entry_id = e.id and s.project_id = ${projectId}::bigint
    left join decision d on d.subject_id = s.id and d.id = s.decision_id
    ${needsJudgment(request) ? currentJudgmentOfSubject : sql``}
    where e.dataset_id = ${datasetId}::bigint and e.absent_since is null
      and ${entryCondition(filter)}${skipped}${audited}${named}`
}

function needsSubject({ filter, auditId }: Pick<EntryPageRequest, 'filter' | 'auditId'>): boolean {
  const { statuses, text: _, ...others } = filter
  const isOfSubject = statuses.length > 0 && !statuses.includes('new')
  return (
    auditId !== undefined || isOfSubject || Object.values(others).some((value) => value !== null)
  )
}

function needsJudgment({
  filter: { statuses, judged, stale },
  auditId,
}: Pick<EntryPageRequest, 'filter' | 'auditId'>): boolean {
  return statuses.length > 0 || judged !== null || stale !== null || auditId !== undefined
}

/** Ascending: the first of an order has the least. */
function sortValue({
  order,
  thresholds,
}: Pick<EntryPageRequest, 'order' | 'thresholds'>): RawBuilder<number> {
  if (order === 'file') return sql`0::float8`
  // Without a decision last.
  if (order === 'score') return sql`coalesce(-d.score, 1)::float8`
  return sql`coalesce(least(abs(d.score - ${thresholds.match}::real),
    case when d.score >= ${thresholds.match}::real then abs(d.margin - ${thresholds.lead}::real) end), 101)::float8`
}

function compare(backwards: boolean): RawBuilder<unknown> {
  return backwards ? sql`<` : sql`>`
}
