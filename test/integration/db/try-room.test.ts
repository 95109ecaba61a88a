import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { tryRoom } from '../../../src/db/try-room.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

let db: Db
onTempDatabase((url) => (db = connectDatabase(url, { maxConnections: 1 })))

it('leaves nothing of what it writes, so that it can be done again and again', async () => {
  await tryRoom(db)
  await tryRoom(db)
  const { rows } = await sql`select relname from pg_class where relname = 'room'`.execute(db)
  expect(rows).toEqual([])
})

it('writes a megabyte, and says so where it may not', async () => {
  // A server that refuses to write so much, as one whose disk is full does.
  await sql`create function refuse_large() returns event_trigger language plpgsql as $$
    begin
      if (select pg_relation_size(objid) from pg_event_trigger_ddl_commands() where object_identity ~ 'room$') >= 1000000 then
        raise exception 'could not extend file' using errcode = '53100';
      end if;
    end $$`.execute(db)
  await sql`create event trigger refuse_large on ddl_command_end when tag in ('CREATE TABLE AS')
    execute function refuse_large()`.execute(db)
  await expect(tryRoom(db)).rejects.toMatchObject({ code: '53100' })
})
