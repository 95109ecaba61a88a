import type { Outcome, ScoredCandidate } from '../../src/core/matching/decision.ts'
import type { Db } from '../../src/db/connect.ts'

export function scoredCandidate(
  id: string,
  changes: Partial<ScoredCandidate> = {},
): ScoredCandidate {
  return {
    id,
    label: `label of ${id}`,
    description: null,
    score: 60,
    veto: null,
    features: [],
    ...changes,
  }
}

/** Gives a record of a project a decision on its present cells, as a run would. */
export async function decideRecord(
  db: Db,
  projectId: number,
  externalId: string,
  outcome: Outcome,
  candidates: readonly ScoredCandidate[],
): Promise<void> {
  const subject = await db
    .selectFrom('subject as s')
    .innerJoin('entry as e', 'e.id', 's.entry_id')
    .where('s.project_id', '=', projectId)
    .where('e.external_id', '=', externalId)
    .select(['s.id', 's.match_hash'])
    .executeTakeFirstOrThrow()
  const evidence = { asked: [], candidates, candidatesTotal: candidates.length, truncated: false }
  const decision = await db
    .insertInto('decision')
    .values({
      subject_id: subject.id,
      run_id: null,
      settings_revision: 1,
      weights_version: 'test',
      match_hash: subject.match_hash,
      outcome,
      rule: 'test',
      reason: 'by the test',
      service: 'sample',
      external_id: candidates[0]?.id ?? null,
      score: candidates[0]?.score ?? null,
      margin: null,
      runner_up: null,
      evidence: JSON.stringify(evidence),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('subject')
    .set({ status: 'COMPLETED', outcome, decision_id: decision.id })
    .where('id', '=', subject.id)
    .execute()
}
