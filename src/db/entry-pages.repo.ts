/** Records of a project page by page, filtered and in an order of people's choice. Keyset pages: each costs the same. */
import { type RawBuilder, sql } from 'kysely'
import type { Cells } from '../core/matching/mapped-record.ts'
import { type EntryChoice, fromEntries, setsOf } from './chosen-entries.ts'
import type { Db } from './connect.ts'
import { areJudgmentsFew, currentJudgmentOfSubject, type JudgmentSet } from './current-judgment.ts'
import {
  type EntryOrder,
  type OrderLines,
  type OrderPart,
  orderStages,
  type OrderStage,
} from './entry-order.ts'
import { type EntryStatus, matchStatus } from './entry-filter.ts'

/** Where a page begins: behind this record. */
export interface EntryKey {
  /** Of the order (`entry-order.ts`). */
  readonly value: number
  readonly position: number
  readonly entryId: number
}

export interface EntryPageRequest extends EntryChoice {
  readonly thresholds: OrderLines
  readonly order: EntryOrder
  /** Null: from the first. */
  readonly after: EntryKey | null
  /** The page before that record, last record first. */
  readonly backwards?: boolean
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
  const sets = setsOf(request)
  const isFew = sets.length > 1 && (await areJudgmentsFew(db))
  const queries = parts.flatMap((part) =>
    sets.map((set) => sql`(${firstOfPart(request, part, set, isFew && set.isJudged)})`),
  )
  const { rows } = await sql<EntryKey>`
    select id as "entryId", position, value from (${sql.join(queries, sql` union all `)}) as found
    order by value ${direction}, position ${direction}, id ${direction}
    limit ${request.limit}::integer`.execute(db)
  return rows
}

/** @param most counting ends there */
export async function countEntries(db: Db, choice: EntryChoice, most: number): Promise<number> {
  const queries = setsOf(choice).map((set) => sql`(select ${fromEntries(choice, set, 'count')})`)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from (${sql.join(queries, sql` union all `)}) as entries limit ${most}::integer) as found`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** @param isWhole not only as many as a page can have: a limit would tempt the planner to walk through the order */
function firstOfPart(
  request: EntryPageRequest,
  { where, value, isScored, lessScore }: OrderPart,
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
    ${fromEntries(request, set, isScored ? 'score' : 'place')} and ${where}${begin}${isBehind}
    ${isWhole ? sql`` : sql`order by ${sorted} limit ${limit}::integer`}`
}
