/** Which records of a project a page shows, as a condition on entry `e`, subject `s`, decision `d`, judgment `j`. */
import { type RawBuilder, sql } from 'kysely'
import { hardRules } from '../core/matching/hard-rules.ts'
import { isOfType, type OfType } from './typed-decisions.ts'

/** Values of `match_status` that a record can have. */
export const entryStatuses = [
  'matched',
  'review',
  'no_candidate',
  'skipped',
  'none_fits',
  'not_in_wikidata',
  'not_applicable',
  'new',
  'queued',
  'failed',
  'cancelled',
] as const
export type EntryStatus = (typeof entryStatuses)[number]

export interface EntryFilter {
  /** Any of these; empty: all. */
  readonly statuses: readonly EntryStatus[]
  /** Of the best candidate, 0 to 100. */
  readonly minScore: number | null
  readonly maxScore: number | null
  /** Lead over the second candidate. */
  readonly minMargin: number | null
  readonly maxMargin: number | null
  /** Number of candidates. */
  readonly candidates: 'none' | 'one' | 'several' | null
  /** Id of a type that its best candidate is of, as the service said. */
  readonly type: string | null
  /** Judged by a person or a file, or not; null: both. */
  readonly judged: boolean | null
  /** Judged, and the record or its item changed since. */
  readonly stale: boolean | null
  /** What a failed record failed of. */
  readonly code: string | null
  /** Somewhere in its id or cells, in any case. */
  readonly text: string | null
}

/** A decision is the result of its record, or was until it was judged. */
const isDecided = sql<boolean>`(s.status = 'COMPLETED' or (s.status = 'QUEUED' and s.outcome is not null))`

/** `match_status` of the export. */
export const matchStatus = sql<EntryStatus>`
  case
    when j.verdict = 'match' then 'matched'
    when j.verdict is not null then j.verdict
    when ${isDecided} then s.outcome
    else lower(coalesce(s.status, 'NEW'))
  end`

const VERDICTS: ReadonlySet<string> = new Set(['none_fits', 'not_in_wikidata', 'not_applicable'])
const OUTCOMES: ReadonlySet<string> = new Set(['matched', 'review', 'no_candidate', 'skipped'])

/** @param ofType decisions of the type that is asked for */
export function entryCondition(filter: EntryFilter, ofType: OfType): RawBuilder<boolean> {
  const { statuses, minScore, maxScore, minMargin, maxMargin, candidates, judged } = filter
  const { stale, code, text, type } = filter
  const conditions: RawBuilder<unknown>[] = [
    ...(statuses.length === 0
      ? []
      : [sql`(${sql.join(statuses.map(statusCondition), sql` or `)})`]),
    ...(minScore === null ? [] : [sql`d.score >= ${minScore}::real`]),
    ...(maxScore === null ? [] : [sql`d.score <= ${maxScore}::real`]),
    ...(minMargin === null ? [] : [sql`d.margin >= ${minMargin}::real`]),
    ...(maxMargin === null ? [] : [sql`d.margin <= ${maxMargin}::real`]),
    ...(candidates === null ? [] : [candidatesCondition(candidates)]),
    ...(type === null ? [] : [isOfType(type, ofType)]),
    ...(judged === null ? [] : [judged ? sql`j.id is not null` : sql`j.id is null`]),
    ...(stale === null ? [] : [stale ? isStale : sql`not coalesce(${isStale}, false)`]),
    ...(code === null ? [] : [sql`s.status = 'FAILED' and s.error_code = ${code}::text`]),
    ...(text === null ? [] : [textCondition(text)]),
  ]
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`
}

/** What can be taken in by a rule: unjudged, decided on the cells of now, and its best candidate forbidden by nothing. */
export const isAcceptable = sql<boolean>`
  j.id is null and s.status = 'COMPLETED' and s.outcome = 'review'
  and d.outcome = 'review' and d.match_hash = s.match_hash
  and d.is_first_allowed
  and d.rule <> all(${hardRules}::text[])`

const isStale = sql<boolean>`(j.match_hash <> s.match_hash or s.item_changed_at > j.judged_at)`

/** A judged record never fits. */
export function isOfUnjudged({ statuses, judged }: EntryFilter): boolean {
  const isOfVerdict = (status: EntryStatus) => status === 'matched' || VERDICTS.has(status)
  return judged === false || (statuses.length > 0 && !statuses.some(isOfVerdict))
}

/** Written so that an index of subjects can be used. */
function statusCondition(status: EntryStatus): RawBuilder<boolean> {
  if (status === 'matched') {
    return sql`(j.verdict = 'match' or (j.id is null and s.outcome = 'matched' and ${isDecided}))`
  }
  if (OUTCOMES.has(status)) {
    return sql`(s.outcome = ${sql.lit(status)} and ${isDecided} and j.id is null)`
  }
  if (status === 'new') return sql`(coalesce(s.status, 'NEW') = 'NEW' and j.id is null)`
  if (status === 'queued') {
    return sql`(s.status = 'QUEUED' and s.outcome is null and j.id is null)`
  }
  if (status === 'failed' || status === 'cancelled') {
    return sql`(s.status = ${sql.lit(status.toUpperCase())} and j.id is null)`
  }
  return sql`(j.verdict = ${status}::text)`
}

function candidatesCondition(
  candidates: NonNullable<EntryFilter['candidates']>,
): RawBuilder<boolean> {
  if (candidates === 'none') return sql`d.candidates_total = 0`
  return candidates === 'one' ? sql`d.candidates_total = 1` : sql`d.candidates_total > 1`
}

/** The column has the cells as JSON, and the names of columns too: it says quickly where the text is not. */
function textCondition(text: string): RawBuilder<boolean> {
  const pattern = anywhere(text)
  const quoted = anywhere(JSON.stringify(text).slice(1, -1))
  const mayHave = sql`(e.search_text like lower(${quoted}::text) or e.search_text like lower(${pattern}::text))`
  return sql`(${mayHave} and (e.external_id ilike ${pattern}::text or exists (
    select from jsonb_each_text(e.source) as cell where cell.value ilike ${pattern}::text)))`
}

function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`
}
