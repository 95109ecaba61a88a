import { sql } from 'kysely'
import type { DecisionEvidence, Outcome } from '../core/matching/decision.ts'
import type { Db } from './connect.ts'
import { readCursor } from './read-cursor.ts'

/** An entry with the last decision of a project's runs about it; judgments do not count here. */
export interface DecidedEntry {
  readonly externalId: string
  readonly outcome: Outcome
  readonly rule: string
  readonly reason: string
  readonly best: string | null
  readonly score: number | null
  readonly evidence: DecisionEvidence
  /** Ids of all candidates of its answers, merged ones under their new id, in no particular order. */
  readonly seen: readonly string[]
}

/** In file order; entries without a decision are left out. */
export async function readDecidedEntries(
  db: Db,
  projectId: number,
  onPage: (page: readonly DecidedEntry[]) => Promise<void>,
): Promise<void> {
  await readCursor(
    db,
    sql<DecidedEntry>`
      select e.external_id as "externalId", d.outcome, d.rule, d.reason, d.external_id as best, d.score, d.evidence,
        coalesce((
          select jsonb_agg(distinct coalesce(i.merged_into, c.value ->> 'id'))
          from subject_lookup sl join lookup l on l.id = sl.lookup_id
          cross join jsonb_array_elements(l.answer -> 'candidates') c
          left join item i on i.service = l.service and i.external_id = c.value ->> 'id'
          where sl.subject_id = s.id), '[]') as seen
      from subject s
      join entry e on e.id = s.entry_id
      join decision d on d.id = s.decision_id
      where s.project_id = ${projectId}::bigint and e.absent_since is null
      order by e.position, e.id`,
    onPage,
  )
}
