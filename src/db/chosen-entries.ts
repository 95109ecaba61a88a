/** Which records of a project are chosen, as the joins and conditions of a query. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { type JudgmentSet, judgmentSets, unjudgedSet } from './current-judgment.ts'
import { type EntryFilter, entryCondition, isOfUnjudged } from './entry-filter.ts'
import { decisionsOfType, type OfType } from './typed-decisions.ts'

/** Of the match hash of a row in hex: enough to tell the rows of a project apart. */
export const LIKENESS_LETTERS = 16

export interface EntryChoice {
  readonly projectId: number
  readonly datasetId: number
  readonly filter: EntryFilter
  /** Leaves out what this person has set back for later. */
  readonly unskippedBy?: string | undefined
  /** Leaves out the rows of this likeness: they are judged together with one that is shown already. */
  readonly unlike?: string | undefined
  /** Only records of this audit that were not judged since it was drawn. */
  readonly auditId?: number | undefined
  /** Only records with these ids. */
  readonly ids?: readonly string[] | undefined
  /** Decisions of the type of the filter; default: to be found out (`withType`). */
  readonly ofType?: OfType | undefined
}

/** A choice with what has to be known before its query: which decisions are of a rare type. */
export async function withType<Choice extends EntryChoice>(
  db: Db,
  choice: Choice,
): Promise<Choice> {
  const { type } = choice.filter
  if (type === null || choice.ofType !== undefined) return choice
  return { ...choice, ofType: await decisionsOfType(db, choice.projectId, type) }
}

const anySet: JudgmentSet = { isJudged: false, join: sql``, where: sql`true` }

/** Sets of subjects that make up the whole, by what the choice asks of judgments, of which there may be few. */
export function setsOf(choice: EntryChoice, areFew: boolean): readonly JudgmentSet[] {
  if (!needsJudgment(choice)) return [anySet]
  return isOfUnjudged(choice.filter) && choice.auditId === undefined
    ? [unjudgedSet]
    : judgmentSets(areFew)
}

/** Joins `e`, `s`, `d` and, where the condition needs it, `j`, with the condition of the request. */
export function fromEntries(
  request: EntryChoice,
  set: JudgmentSet,
  purpose: 'place' | 'score' | 'count',
): RawBuilder<unknown> {
  const { projectId, datasetId, filter, unskippedBy, unlike, auditId, ids, ofType } = request
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
  // It follows from the state of the record, but has an index of its own.
  const isForReview = filter.statuses.join() === 'review' ? sql` and d.outcome = 'review'` : sql``
  // Filters on what only a subject has are found by an index of subjects.
  const isOfSubject = needsSubject(request)
  const join = isOfSubject || isByScore ? sql`join` : sql`left join`
  // Both columns are in an index with the scores; of a join by both, few rows are expected, and indexes of scores and ids not used.
  const decision =
    isByScore || filter.type !== null
      ? sql`join decision d on d.id = s.decision_id${isForReview}`
      : sql`left join decision d on d.subject_id = s.id and d.id = s.decision_id`
  const conditions = sql`
    ${set.where} and ${entryCondition(filter, ofType ?? 'common')}${skipped}${others}${audited}${named}${newOnes(request)}`
  const isNew = filter.statuses.join() === 'new'
  if (purpose === 'count' && isOfSubject && !isNew && filter.text === null && ids === undefined) {
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
function newOnes({ projectId, datasetId, filter: { statuses } }: EntryChoice): RawBuilder<unknown> {
  if (statuses.length !== 1 || statuses[0] !== 'new') return sql``
  return sql` and e.id in (
    select n.id from entry n where n.dataset_id = ${datasetId}::bigint
      and not exists (select from subject t where t.entry_id = n.id and t.project_id = ${projectId}::bigint)
    union all
    select t.entry_id from subject t where t.project_id = ${projectId}::bigint and t.status = 'NEW')`
}

function needsSubject({ filter, auditId }: Pick<EntryChoice, 'filter' | 'auditId'>): boolean {
  const { statuses, text: _, ...others } = filter
  const isOfSubject = statuses.length > 0 && !statuses.includes('new')
  return (
    auditId !== undefined || isOfSubject || Object.values(others).some((value) => value !== null)
  )
}

function needsJudgment({
  filter: { statuses, judged, stale },
  auditId,
}: Pick<EntryChoice, 'filter' | 'auditId'>): boolean {
  return statuses.length > 0 || judged !== null || stale !== null || auditId !== undefined
}
