/** What a million records need: indexes in the order of the pages that are read, and fewer to write for each change. */
import { type Kysely, sql } from 'kysely'

const statements: readonly string[] = [
  // In file order to the last detail.
  `drop index entry_position`,
  `create index entry_position on entry (dataset_id, position, id)`,
  // A page of a dataset; with the primary key alone it would be sorted out of all its records.
  `create index entry_of_dataset on entry (dataset_id, id)`,
  `create index entry_absent on entry (id) where absent_since is not null`,

  // Each step of a run writes every index of the record anew. One serves the project and the deletion of an entry, and
  // who is in no run or has no decision is left out of those of runs and decisions.
  `alter table subject add constraint subject_once unique (entry_id, project_id)`,
  `alter table subject drop constraint subject_project_id_entry_id_key`,
  `drop index subject_entry`,
  `drop index subject_task`,
  `create index subject_task on subject (run_id, task_number, id) where run_id is not null`,
  `drop index subject_decision`,
  `create index subject_decision on subject (decision_id) where decision_id is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
