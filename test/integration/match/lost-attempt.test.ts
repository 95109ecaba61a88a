/** The books of requests cannot be written for a moment: what the requests brought must not be lost with them. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerByName } from '../../support/fake-reconciliation-service.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer({ random: () => 0 })
  const { db } = server.bench
  // What a sequence has counted is not taken back with the statement that failed.
  await sql`create sequence refused_attempts`.execute(db)
  await sql`
    create function refuse_first() returns trigger language plpgsql as $$
      begin
        if new.lookup_ids::text <> '[]' and nextval('refused_attempts') = 1 then
          raise exception 'terminating connection' using errcode = '57P01';
        end if;
        return new;
      end $$`.execute(db)
  await sql`
    create trigger refuse_first before insert on attempt for each row execute function refuse_first()`.execute(
    db,
  )
})
afterAll(() => server.close())

it('an answer whose attempt cannot be kept is stored all the same, and not asked for again', async () => {
  const { bench, service } = server
  service.respond(answerByName)
  const project = await createTestProject(
    bench.db,
    server.ownAddress(),
    [{ id: 'x', name: 'Berlin' }],
    { mapping: { name: 'name', variants: [], properties: [] } },
  )
  await (await bench.start(project.id)).result()
  const rows = await bench.db.selectFrom('result').select(['match_status', 'match_qid']).execute()
  expect(rows).toEqual([{ match_status: 'matched', match_qid: 'Q64' }])
  expect(service.requests.filter(({ queries }) => queries !== null)).toHaveLength(1)
  const { rows: counted } =
    await sql`select last_value::integer as n from refused_attempts`.execute(bench.db)
  expect(counted).toEqual([{ n: 1 }])
})
