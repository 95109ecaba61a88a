/** What a judgment was about, the decisions of a record in order, and what has become of items since. */
import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  // "The last decision of a subject" is asked for every record that is decided again.
  `drop index decision_subject`,
  `create index decision_subject on decision (subject_id, id)`,

  `alter table judgment add column decision_id bigint references decision on delete set null`,
  `create index judgment_decision on judgment (decision_id) where decision_id is not null`,
  // No run decides a judged record, so the decision of now is the one that was judged.
  `update judgment j set decision_id = s.decision_id from subject s where s.id = j.subject_id`,

  `alter table item
     add column state text check (state in ('present', 'merged', 'missing')),
     add column merged_into text,
     add column checked_at timestamptz,
     add check ((state = 'merged') = (merged_into is not null))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
