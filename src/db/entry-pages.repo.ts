/** Records of a project page by page, filtered and in an order of people's choice. Keyset pages: each costs the same. */
import { type RawBuilder, sql } from 'kysely'
import type { Cells } from '../core/matching/mapped-record.ts'
import type { Db } from './connect.ts'
import {
  areJudgmentsFew,
  currentJudgmentOfSubject,
  type JudgmentSet,
  judgmentSets,
} from './current-judgment.ts'
import {
  type EntryOrder,
  type OrderLines,
  type OrderPart,
  orderStages,
  type OrderStage,
} from './entry-order.ts'
import {
  type EntryFilter,
  type EntryStatus,
  entryCondition,
  isOfUnjudged,
  matchStatus,
} from './entry-filter.ts'

/** Of the match hash of a row in hex: enough to tell the rows of a project apart. */
export const LIKENESS_LETTERS = 16

/** Where a page begins: behind this record. */
export interface EntryKey {
  /** Of the order (`entry-order.ts`). */
  readonly value: number
  readonly position: number
  readonly entryId: number
}

export interface EntryPageRequest {
  readonly projectId: number
  readonly datasetId: number
  readonly thresholds: OrderLines
  readonly filter: EntryFilter
  readonly order: EntryOrder
  /** Null: from the first. */
  readonly after: EntryKey | null
  /** The page before that record, last record first. */
  readonly backwards?: boolean
  /** Leaves out what this person has set back for later. */
  readonly unskippedBy?: string | undefined
  /** Leaves out the rows of this likeness: they are judged together with one that is shown already. */
  readonly unlike?: string | undefined
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

export async function entryPage(
  db: Db,
  request: EntryPageRequest,
): Promise<readonly ListedEntry[]> {
  const found = await firstOf(db, request)
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

/** Where the records of a page stand: to read and to judge what is known of each is dear, and only a page of them is shown. */
async function firstOf(db: Db, request: EntryPageRequest): Promise<readonly EntryKey[]> {
  const { order, thresholds, after, limit, backwards = false } = request
  const stages = orderStages(order, thresholds)
  const begun = stages.findIndex(({ only }) => only === null || only === after?.value)
  const from = stages.findIndex(({ only }) => only !== null && only === after?.value)
  const start = after === null ? (backwards ? stages.length - 1 : 0) : from === -1 ? begun : from
  const found: EntryKey[] = []
  const step = backwards ? -1 : 1
  for (let at = start; at >= 0 && at < stages.length && found.length < limit; at += step) {
    const stage = stages[at]
    if (stage === undefined) break
    const rest = { ...request, limit: limit - found.length, after: at === start ? after : null }
    found.push(...(await firstOfStage(db, rest, stage)))
  }
  return found
}

async function firstOfStage(
  db: Db,
  request: EntryPageRequest,
  { parts }: OrderStage,
): Promise<readonly EntryKey[]> {
  const direction = request.backwards === true ? sql`desc` : sql`asc`
  const isFew = needsJudgment(request) && (await areJudgmentsFew(db))
  const queries = parts.map((part) =>
    inSets(request, (set) => firstOfPart(request, part, set, isFew && set.isJudged)),
  )
  const { rows } = await sql<EntryKey>`
    select id as "entryId", position, value from (${sql.join(queries, sql` union all `)}) as found
    order by value ${direction}, position ${direction}, id ${direction}
    limit ${request.limit}::integer`.execute(db)
  return rows
}

/** @param most counting ends there */
export async function countEntries(
  db: Db,
  request: Omit<EntryPageRequest, 'after' | 'limit' | 'order'>,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from (${inSets(request, (set) => sql`select ${fromEntries(request, set, 'count')}`)}) as entries
      limit ${most}::integer) as found`.execute(db)
  return rows[0]?.count ?? 0
}

type Asked = Pick<
  EntryPageRequest,
  'projectId' | 'datasetId' | 'filter' | 'unskippedBy' | 'unlike' | 'auditId' | 'ids'
>

const withoutJudgment: JudgmentSet = {
  isJudged: false,
  join: sql``,
  where: sql`true`,
  whereUnjudged: sql`true`,
}

/** Where the condition asks what is judged: the query over both sets. */
function inSets(
  request: Asked,
  query: (set: JudgmentSet) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!needsJudgment(request)) return sql`(${query(withoutJudgment)})`
  return sql.join(
    judgmentSets.map((set) => sql`(${query(set)})`),
    sql` union all `,
  )
}

/** @param isWhole not only as many as a page can have: a limit would tempt the planner to walk through the order */
function firstOfPart(
  request: EntryPageRequest,
  { where, value, lessScore }: OrderPart,
  set: JudgmentSet,
  isWhole: boolean,
): RawBuilder<unknown> {
  const { limit, after, order, backwards = false } = request
  const [up, down] = backwards ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`]
  const behind = backwards ? sql`<` : sql`>`
  const place = sql`e.position ${up}, e.id ${up}`
  const sorted =
    order === 'file'
      ? place
      : lessScore === null
        ? sql`${value} ${up}, ${place}`
        : sql`d.score ${down}, ${place}`
  // What an index understands.
  const begin =
    after === null || lessScore === null
      ? sql``
      : sql` and d.score ${backwards ? sql`>` : sql`<`}= ${lessScore - after.value}::real`
  const isBehind =
    after === null
      ? sql``
      : order === 'file'
        ? sql` and (e.position, e.id) ${behind} (${after.position}::bigint, ${after.entryId}::bigint)`
        : sql` and (${value}, e.position, e.id)
            ${behind} (${after.value}::float8, ${after.position}::bigint, ${after.entryId}::bigint)`
  return sql`
    select e.id, e.position, ${value} as value
    ${fromEntries(request, set, lessScore === null ? 'place' : 'score')} and ${where}${begin}${isBehind}
    ${isWhole ? sql`` : sql`order by ${sorted} limit ${limit}::integer`}`
}

/** Joins `e`, `s`, `d` and, where the condition needs it, `j`, with the condition of the request. */
function fromEntries(
  request: Asked,
  set: JudgmentSet,
  purpose: 'place' | 'score' | 'count',
): RawBuilder<unknown> {
  const { projectId, datasetId, filter, unskippedBy, unlike, auditId, ids } = request
  const others =
    unlike === undefined
      ? sql``
      : sql` and substr(s.match_hash, 1, ${LIKENESS_LETTERS / 2}::integer) is distinct from decode(${unlike}::text, 'hex')`
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
  const isByScore = purpose === 'score'
  // Filters on what only a subject has are found by an index of subjects.
  const isOfSubject = needsSubject(request)
  const join = isOfSubject || isByScore ? sql`join` : sql`left join`
  // Both columns are in an index with the scores; of a join by both, few rows are expected, and an index of scores not used.
  const decision = isByScore
    ? sql`join decision d on d.id = s.decision_id`
    : sql`left join decision d on d.subject_id = s.id and d.id = s.decision_id`
  const conditions = sql`
    ${isOfUnjudged(filter) ? set.whereUnjudged : set.where} and ${entryCondition(filter)}${skipped}${others}${audited}${named}${newOnes(request)}`
  if (purpose === 'count' && isOfSubject && filter.text === null && ids === undefined) {
    return sql`
      from subject s ${decision} ${set.join}
      where s.project_id = ${projectId}::bigint
        and not exists (select from entry e where e.id = s.entry_id and e.absent_since is not null)
        and ${conditions}`
  }
  return sql`
    from entry e
    ${join} subject s on s.entry_id = e.id and s.project_id = ${projectId}::bigint
    ${decision}
    ${set.join}
    where e.dataset_id = ${datasetId}::bigint and e.absent_since is null and ${conditions}`
}

/** Who is new is found by what there is not: record by record all of them would be looked at. */
function newOnes({ projectId, datasetId, filter: { statuses } }: Asked): RawBuilder<unknown> {
  if (statuses.length !== 1 || statuses[0] !== 'new') return sql``
  return sql` and e.id in (
    select n.id from entry n where n.dataset_id = ${datasetId}::bigint
      and not exists (select from subject t where t.entry_id = n.id and t.project_id = ${projectId}::bigint)
    union all
    select t.entry_id from subject t where t.project_id = ${projectId}::bigint and t.status = 'NEW')`
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
