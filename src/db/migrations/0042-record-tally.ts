/**
 * How many records each state has, kept up by the database itself: to count the rows of a million takes a second, and of
 * hundreds of millions minutes, whoever looks. Each statement that changes records adds what it changed as rows of its own,
 * so that nobody waits for anybody; after some hundreds of rows those of a project are summed up. Rows that another transaction is
 * summing up are left to it.
 */
import { type Kysely, sql } from 'kysely'

/** About: the sums are rows, too. */
const SUMMED_UP_EVERY_ROWS = 500

const ADDED = 'select project_id, run_id, status, outcome, 1 as records from added'
const REMOVED = 'select project_id, run_id, status, outcome, -1 as records from removed'

/** Function of a trigger for each statement. @param moved query of the states that records came to (1) or left (-1) */
function tallying(name: string, moved: string): string {
  return `create function ${name}() returns trigger language plpgsql set search_path from current as $$
    declare
      due bigint;
    begin
      for due in
        with written as (
          insert into record_tally (project_id, run_id, status, outcome, records)
          select project_id, run_id, status, outcome, sum(records) from (${moved}) as moved
          group by project_id, run_id, status, outcome having sum(records) <> 0
          returning id, project_id
        )
        select project_id from written group by project_id
        having bool_or(id % ${SUMMED_UP_EVERY_ROWS} = 0)
      loop
        perform sum_up_tally(due);
      end loop;
      return null;
    end $$`
}

const statements: readonly string[] = [
  `create table record_tally (
     id bigint generated always as identity primary key,
     -- No reference: what is deleted is subtracted after its project is gone.
     project_id bigint not null,
     run_id bigint,
     status text not null,
     outcome text,
     -- Less than zero where records left this state.
     records bigint not null)`,
  `create index record_tally_project on record_tally (project_id)`,
  `create index record_tally_run on record_tally (run_id)`,

  // A state that has one row keeps it: of many runs most are over.
  `create function sum_up_tally(of_project bigint) returns void language sql
     set search_path from current as $$
     with several as (
       select id from (
         select id, count(*) over (partition by run_id, status, outcome) as times
         from record_tally where project_id = of_project) as rows
       where times > 1
     ),
     taken as (
       delete from record_tally
       where id in (select id from record_tally where id in (select id from several) for update skip locked)
       returning project_id, run_id, status, outcome, records
     )
     insert into record_tally (project_id, run_id, status, outcome, records)
     select project_id, run_id, status, outcome, sum(records) from taken
     group by project_id, run_id, status, outcome having sum(records) <> 0
   $$`,
  tallying('tally_added', ADDED),
  tallying('tally_removed', REMOVED),
  tallying('tally_changed', `${ADDED} union all ${REMOVED}`),
  // For whoever changed records where triggers do not run, such as a replica.
  `create function recount_tally() returns void language sql set search_path from current as $$
     lock table subject in share row exclusive mode;
     delete from record_tally;
     insert into record_tally (project_id, run_id, status, outcome, records)
     select project_id, run_id, status, outcome, count(*) from subject
     group by project_id, run_id, status, outcome
   $$`,
  `create function tally_emptied() returns trigger language plpgsql set search_path from current as $$
     begin
       delete from record_tally;
       return null;
     end $$`,

  `create trigger tally_added after insert on subject
     referencing new table as added for each statement execute function tally_added()`,
  `create trigger tally_removed after delete on subject
     referencing old table as removed for each statement execute function tally_removed()`,
  `create trigger tally_changed after update on subject
     referencing new table as added old table as removed for each statement execute function tally_changed()`,
  `create trigger tally_emptied after truncate on subject
     for each statement execute function tally_emptied()`,

  // The triggers hold back whoever writes until this is committed.
  `select recount_tally()`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
