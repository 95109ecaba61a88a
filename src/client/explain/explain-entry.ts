import type { ScoredCandidate } from '../../core/matching/decision.ts'
import { type MappedRecord, mapRecord } from '../../core/matching/mapped-record.ts'
import { type FeatureShare, scoreShares } from '../../core/matching/score-shares.ts'
import { WEIGHTS_VERSION, weightsOf } from '../../core/matching/weights.ts'
import type {
  DecisionThresholds,
  EntityKind,
  ProjectSettings,
} from '../../core/project-settings.ts'
import type { Db } from '../../db/connect.ts'
import {
  readJudgmentsOf,
  readQuestionsOf,
  readStoredEntry,
  type StoredDecision,
  type StoredEntry,
  type StoredJudgment,
  type StoredQuestion,
} from '../../db/explained-entry.repo.ts'
import { type Project, settingsOfRevision } from '../../db/projects.repo.ts'
import { UsageError } from '../../errors.ts'

/** Everything that is known of how a record came to its result. */
export interface Explanation {
  readonly project: number
  readonly entry: string
  /** As `match_status` of the export. */
  readonly status: StoredEntry['matchStatus']
  readonly qid: string | null
  /** Only where the record could not be asked. */
  readonly error: { readonly code: string; readonly message: string | null } | null
  readonly isAbsent: boolean
  /** The record as the mapping of now reads it. */
  readonly record: MappedRecord
  readonly questions: readonly StoredQuestion[]
  /** The last one; null: none was made. */
  readonly decision: ExplainedDecision | null
  readonly judgments: readonly StoredJudgment[]
}

export interface ExplainedDecision extends Omit<StoredDecision, 'evidence' | 'decidedRevision'> {
  /** Is the result; otherwise a judgment is, or the record is due again. */
  readonly holds: boolean
  /** Why the next run would make it again. */
  readonly outdatedBy: 'changed_cells' | 'changed_settings' | null
  readonly kind: EntityKind
  readonly thresholds: DecisionThresholds
  /** Odds of a candidate before anything was compared, in bits; null where the weights of then are gone. */
  readonly prior: number | null
  readonly candidatesTotal: number
  /** Found, but no longer there: deleted, or merged twice. */
  readonly gone: readonly string[]
  /** The service cut the list off. */
  readonly truncated: boolean
  readonly candidates: readonly ExplainedCandidate[]
}

export interface ExplainedCandidate extends Omit<ScoredCandidate, 'features'> {
  readonly features: readonly FeatureShare[]
}

/**
 * Reads what is stored; nobody is asked.
 * @throws UsageError `unknown_entry`
 */
export async function explainEntry(db: Db, project: Project, entry: string): Promise<Explanation> {
  const stored = await readStoredEntry(db, project, entry)
  if (stored === undefined) {
    throw new UsageError({
      code: 'unknown_entry',
      message: `Dataset "${project.datasetName}" of project ${project.id} has no record ${JSON.stringify(entry)}.`,
      hint: `An id is that of the column given as --id, or row-1, row-2, …; see: ./record-linker export --project ${project.id} -o jsonl`,
    })
  }
  const { subjectId, decision, status, errorCode } = stored
  return {
    project: project.id,
    entry,
    status: stored.matchStatus,
    qid: stored.qid,
    error:
      status === 'FAILED' && errorCode !== null
        ? { code: errorCode, message: stored.errorMessage }
        : null,
    isAbsent: stored.isAbsent,
    record: mapRecord(stored.cells, project.settings),
    questions: subjectId === null ? [] : await readQuestionsOf(db, subjectId),
    decision: decision === null ? null : await explained(db, project, stored, decision),
    judgments: subjectId === null ? [] : await readJudgmentsOf(db, subjectId),
  }
}

async function explained(
  db: Db,
  project: Project,
  { status, isJudged, isChanged }: StoredEntry,
  { evidence, decidedRevision, ...decision }: StoredDecision,
): Promise<ExplainedDecision> {
  const revision = decision.settingsRevision
  const settings = (await settingsOfRevision(db, project.id, revision)) ?? project.settings
  // What a person set aside stays so under other settings.
  const isOld = decision.decidedBy === null && (decidedRevision ?? revision) < project.revision
  return {
    ...decision,
    holds: status === 'COMPLETED' && !isJudged,
    outdatedBy: isChanged ? 'changed_cells' : isOld ? 'changed_settings' : null,
    kind: settings.kind,
    thresholds: settings.thresholds,
    prior: priorOf(settings, decision.weightsVersion),
    candidatesTotal: evidence.candidatesTotal,
    gone: evidence.gone ?? [],
    truncated: evidence.truncated,
    candidates: evidence.candidates.map((candidate) => ({
      ...candidate,
      features: scoreShares(candidate.features),
    })),
  }
}

function priorOf({ kind, weights }: ProjectSettings, version: string): number | null {
  if (weights !== undefined) return weights.prior
  return version === WEIGHTS_VERSION ? weightsOf(kind).prior : null
}
