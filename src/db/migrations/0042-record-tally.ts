/**
 * How many records each state has, kept up by the database itself: to count the rows of a million takes a second, and of
 * hundreds of millions minutes, whoever looks. Each statement that changes records adds what it changed as rows of its own,
 * so that nobody waits for anybody; after every 500 rows those that are there are summed up. Rows that another transaction
 * is summing up are left to it.
 */
import { type Kysely, sql } from 'kysely'

const SUMMED_UP_EVERY_ROWS = 500

const statements: readonly string[] = [
  `create table record_tally (
     id bigint generated always as identity primary key,
     -- No reference: what is deleted is subtracted after its project is gone.
     project_id bigint not null,
     run_id bigint,
     status text not null,
     outcome text,
     -- Less than zero where records left this state.
     records integer not null)`,
  `create index record_tally_project on record_tally (project_id)`,
  `create index record_tally_run on record_tally (run_id)`,

  `create function sum_up_tally() returns void language sql as $$
     with taken as (
       delete from record_tally
       where id in (select id from record_tally for update skip locked)
       returning project_id, run_id, status, outcome, records
     )
     insert into record_tally (project_id, run_id, status, outcome, records)
     select project_id, run_id, status, outcome, sum(records) from taken
     group by project_id, run_id, status, outcome having sum(records) <> 0
   $$`,
  `create function tally_added() returns trigger language plpgsql as $$
     begin
       insert into record_tally (project_id, run_id, status, outcome, records)
       select project_id, run_id, status, outcome, count(*) from added
       group by project_id, run_id, status, outcome;
       return null;
     end $$`,
  `create function tally_removed() returns trigger language plpgsql as $$
     begin
       insert into record_tally (project_id, run_id, status, outcome, records)
       select project_id, run_id, status, outcome, -count(*) from removed
       group by project_id, run_id, status, outcome;
       return null;
     end $$`,
  `create function tally_changed() returns trigger language plpgsql as $$
     declare
       is_due boolean;
     begin
       with written as (
         insert into record_tally (project_id, run_id, status, outcome, records)
         select project_id, run_id, status, outcome, sum(records) from (
           select project_id, run_id, status, outcome, 1 as records from added
           union all
           select project_id, run_id, status, outcome, -1 from removed
         ) as moved
         group by project_id, run_id, status, outcome having sum(records) <> 0
         returning id
       )
       select bool_or(id % ${SUMMED_UP_EVERY_ROWS} = 0) into is_due from written;
       if is_due then perform sum_up_tally(); end if;
       return null;
     end $$`,

  `create trigger tally_added after insert on subject
     referencing new table as added for each statement execute function tally_added()`,
  `create trigger tally_removed after delete on subject
     referencing old table as removed for each statement execute function tally_removed()`,
  `create trigger tally_changed after update on subject
     referencing new table as added old table as removed for each statement execute function tally_changed()`,

  // The triggers hold back whoever writes until this is committed.
  `insert into record_tally (project_id, run_id, status, outcome, records)
     select project_id, run_id, status, outcome, count(*) from subject
     group by project_id, run_id, status, outcome`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
