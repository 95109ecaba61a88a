/** What pages of a large project are read by. What is computed here is computed by the server, so that it cannot differ. */
import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  // Records of a project are counted, and what is due is found, in the index alone.
  `drop index subject_status`,
  `create index subject_status on subject (project_id, status, outcome, decided_revision)`,
  // Nearly always empty.
  `create index subject_changed on subject (project_id)
     where status = 'COMPLETED' and decided_hash <> match_hash`,
  // Rows that are equal in all mapped fields.
  `create index subject_equal on subject (project_id, match_hash) where outcome is not null`,

  // To unfold the evidence of each decision takes seconds.
  `alter table decision
     add column candidates_total integer
       generated always as ((evidence ->> 'candidatesTotal')::integer) stored,
     add column is_first_allowed boolean generated always as (
       coalesce(evidence #>> '{candidates,0,id}' = external_id, false)
         and evidence #>> '{candidates,0,veto}' is null) stored`,
  `drop index decision_subject`,
  `create index decision_subject on decision (subject_id, id) include (score, margin, candidates_total)`,
  // What waits for a person, in the order in which it is shown, with what a rule for many asks.
  `create index decision_for_review on decision (score)
     include (id, subject_id, margin, candidates_total, rule, match_hash, is_first_allowed)
     where outcome = 'review'`,
  // The order of scores: a page of it is not sorted out of all records.
  `create index decision_score on decision (score)
     include (id, subject_id, margin, candidates_total) where score is not null`,

  // As before; but whether one was undone is asked judgment by judgment, not of all that were ever undone.
  `create or replace view current_judgment as
     select distinct on (j.subject_id) j.*
     from judgment j
     where j.verdict <> 'undo'
       and (select u.id from judgment u where u.undoes = j.id limit 1) is null
     order by j.subject_id, j.id desc`,

  // Looked through for a text; what is found is looked at cell by cell.
  `alter table entry
     add column search_text text generated always as (lower(external_id || ' ' || source::text)) stored`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
