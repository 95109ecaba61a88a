import { sql } from 'kysely'
import type { DecisionEvidence } from '../core/matching/decision.ts'
import { WEIGHTS_VERSION } from '../core/matching/weights.ts'
import type { FailedPick } from '../core/run.ts'
import type { Db } from './connect.ts'
import { isJudgedSubject } from './current-judgment.ts'
import { isPickedFailed } from './due-subjects.ts'

export interface SetAside {
  readonly entry: string
  readonly code: string | null
}

/** Rule of the decision of a person who set a record aside. */
const RULE = 'set-aside'

const nothingAsked: DecisionEvidence = {
  asked: [],
  candidates: [],
  candidatesTotal: 0,
  truncated: false,
}

/**
 * Sets failed records aside for a person: COMPLETED with the outcome `skipped`, by a decision that says who, when, why
 * and of what they had failed. Decisions are only ever added, so the trace stays when a record is taken up again.
 * Guarded: what is no longer FAILED, or is judged, is left as it is.
 * @returns those that were set aside, in file order
 */
export async function setAsideFailed(
  db: Db,
  project: { readonly id: number; readonly revision: number },
  pick: FailedPick,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<readonly SetAside[]> {
  const { rows } = await sql<SetAside>`
    with picked as (
      select s.id, s.match_hash, s.error_code, s.error_message from subject s
      where s.project_id = ${project.id}::bigint and s.status = 'FAILED' and ${isPickedFailed(pick)}
        and not ${isJudgedSubject}
      for update of s
    ),
    inserted as (
      insert into decision (subject_id, settings_revision, weights_version, match_hash, outcome, rule, reason,
        evidence, decided_by)
      select id, ${project.revision}::integer, ${WEIGHTS_VERSION}::text, match_hash, 'skipped', ${RULE}::text,
        'Set aside: ' || ${reason}::text || coalesce(' (it had failed: ' || error_code || ')', ''),
        ${JSON.stringify(nothingAsked)}::jsonb
          || jsonb_build_object('failure', jsonb_build_object('code', error_code, 'message', error_message)),
        ${by}::text
      from picked
      returning id, subject_id, match_hash
    ),
    changed as (
      update subject s
      set status = 'COMPLETED', outcome = 'skipped', decision_id = inserted.id, decided_hash = inserted.match_hash,
        decided_revision = ${project.revision}::integer, error_code = null, error_message = null, updated_at = now()
      from inserted where s.id = inserted.subject_id
      returning s.id, s.entry_id
    )
    select e.external_id as entry, picked.error_code as code
    from changed join picked on picked.id = changed.id join entry e on e.id = changed.entry_id
    order by e.position, e.id`.execute(db)
  return rows
}
