import { sql } from 'kysely'
import type { DecisionEvidence, Outcome } from '../core/matching/decision.ts'
import { type LookupKind, lookupKind } from '../core/matching/lookup-kind.ts'
import type { LookupQuery } from '../core/matching/lookup-query.ts'
import type { Cells } from '../core/matching/mapped-record.ts'
import type { Db } from './connect.ts'
import type { Verdict } from './tables/judgment.table.ts'
import type { ResultView } from './tables/result.table.ts'
import type { SubjectStatus } from './tables/subject.table.ts'

/** All that is stored about one record of a project. */
export interface StoredEntry {
  readonly cells: Cells
  /** The last import did not have it. */
  readonly isAbsent: boolean
  /** Null before the first run that saw it. */
  readonly subjectId: number | null
  readonly status: SubjectStatus
  readonly matchStatus: ResultView['match_status']
  readonly qid: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** Its mapped cells are not those that were decided. */
  readonly isChanged: boolean
  /** A person said what the result is. */
  readonly isJudged: boolean
  /** The last one that was made, whatever came after. */
  readonly decision: StoredDecision | null
}

export interface StoredDecision {
  readonly outcome: Outcome
  readonly rule: string
  readonly reason: string
  readonly margin: number | null
  readonly service: string | null
  /** Number of the run; null when that was deleted, or a person decided. */
  readonly run: number | null
  /** Who set the record aside; null: a run decided. */
  readonly decidedBy: string | null
  readonly settingsRevision: number
  /** A later start or rescore would decide it again. */
  readonly decidedRevision: number | null
  readonly weightsVersion: string
  readonly decidedAt: Date
  readonly evidence: DecisionEvidence
}

/** @returns undefined when the dataset has no such record. */
export async function readStoredEntry(
  db: Db,
  project: { readonly id: number; readonly datasetId: number },
  externalId: string,
): Promise<StoredEntry | undefined> {
  const { rows } = await sql<StoredEntry & { decidedAt: Date | null }>`
    select e.source as cells, e.absent_since is not null as "isAbsent", s.id as "subjectId",
      coalesce(s.status, 'NEW') as status, coalesce(r.match_status, 'new') as "matchStatus",
      r.match_qid as qid, s.error_code as "errorCode", s.error_message as "errorMessage",
      coalesce(s.decided_hash <> s.match_hash, false) as "isChanged",
      r.judgment_id is not null as "isJudged", d.decided_at as "decidedAt",
      case when d.id is not null then json_build_object('outcome', d.outcome, 'rule', d.rule,
        'reason', d.reason, 'margin', d.margin, 'service', d.service, 'run', run.number, 'decidedBy', d.decided_by,
        'settingsRevision', d.settings_revision, 'decidedRevision', s.decided_revision,
        'weightsVersion', d.weights_version, 'evidence', d.evidence) end as decision
    from entry e
    left join subject s on s.entry_id = e.id and s.project_id = ${project.id}::bigint
    left join result r on r.subject_id = s.id
    left join decision d on d.id = s.decision_id
    left join run on run.id = d.run_id
    where e.dataset_id = ${project.datasetId}::bigint and e.external_id = ${externalId}::text`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { decidedAt, decision, ...entry } = row
  return {
    ...entry,
    decision: decision === null || decidedAt === null ? null : { ...decision, decidedAt },
  }
}

/** A judgment about a record, in force or not. */
export interface StoredJudgment {
  readonly verdict: Verdict | 'undo'
  readonly qid: string | null
  readonly by: string
  readonly at: Date
  readonly note: string | null
  /** It is what counts. */
  readonly holds: boolean
}

/** Oldest first. */
export async function readJudgmentsOf(
  db: Db,
  subjectId: number,
): Promise<readonly StoredJudgment[]> {
  const { rows } = await sql<StoredJudgment>`
    select j.verdict, j.external_id as qid, j.judged_by as by, j.judged_at as at, j.note,
      c.id is not null as holds
    from judgment j left join current_judgment c on c.id = j.id
    where j.subject_id = ${subjectId}::bigint order by j.id`.execute(db)
  return rows
}

/** A question about a record and what became of it. */
export interface StoredQuestion {
  /** The name asked for, or what else was. */
  readonly name: string
  readonly kind: LookupKind
  /** Of a search by label; null for others. */
  readonly language: string | null
  readonly status: 'missing' | 'answered' | 'failed'
  readonly answeredAt: Date | null
  readonly candidates: number
  readonly truncated: boolean
  readonly errorCode: string | null
  readonly errorMessage: string | null
}

/** In the order in which they are asked. */
export async function readQuestionsOf(
  db: Db,
  subjectId: number,
): Promise<readonly StoredQuestion[]> {
  const { rows } = await sql<Omit<StoredQuestion, 'kind'> & { query: LookupQuery }>`
    select l.query, l.query ->> 'query' as name, l.query ->> 'language' as language, l.status, l.answered_at as "answeredAt",
      coalesce(jsonb_array_length(l.answer -> 'candidates'), 0) as candidates,
      coalesce((l.answer -> 'truncated')::boolean, false) as truncated,
      l.error_code as "errorCode", l.error_message as "errorMessage"
    from subject_lookup sl join lookup l on l.id = sl.lookup_id
    where sl.subject_id = ${subjectId}::bigint order by sl.position`.execute(db)
  return rows.map(({ query, ...question }) => ({ ...question, kind: lookupKind(query) }))
}
