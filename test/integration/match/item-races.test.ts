/** What is stored of items while others write to the same rows. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from 'kysely'
import { knownItems, storeItems } from '../../../src/db/item-facts.repo.ts'
import type { ItemFacts } from '../../../src/core/wikidata/item-facts.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
})
afterAll(() => server.close())

const SERVICE = 'wikidata'

function facts(askedId: string, changes: Partial<ItemFacts> = {}): ItemFacts {
  return {
    askedId,
    id: askedId,
    labels: { en: `Label of ${askedId}` },
    aliases: {},
    descriptions: {},
    properties: { P214: ['1'] },
    revision: 1,
    sitelinks: null,
    heldLanguages: ['en', 'mul'],
    heldPids: ['P31', 'P214'],
    ...changes,
  }
}

it('rows of items are locked in one order, also those that were never fetched', async () => {
  const { db } = server.bench
  await storeItems(db, SERVICE, [facts('Q502')])
  await sql`insert into item (service, external_id, types) values (${SERVICE}, 'Q501', '[]')`.execute(
    db,
  )
  const lock = (id: string) =>
    sql`select from item where service = ${SERVICE} and external_id = ${id} for update`
  let stored: Promise<void> | undefined
  await db.transaction().execute(async (tx) => {
    await lock('Q501').execute(tx)
    stored = storeItems(db, SERVICE, [facts('Q501'), facts('Q502')])
    await expect.poll(async () => (await waiting()).length, { timeout: 10_000 }).toBe(1)
    // Would end in a deadlock if the other one had this row already.
    await lock('Q502').execute(tx)
  })
  await stored
  expect((await known(['Q501', 'Q502'])).size).toBe(2)

  async function waiting() {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows
  }
})

it('a merged item of which only names were wanted takes nothing away of the item it became part of', async () => {
  const { db } = server.bench
  await storeItems(db, SERVICE, [facts('Q511')])
  const merged = { id: 'Q511', properties: {}, heldPids: [] }
  await storeItems(db, SERVICE, [facts('Q510', merged)])
  expect((await known(['Q511'])).get('Q511')).toMatchObject({
    status: 'known',
    facts: { id: 'Q511', properties: { P214: ['1'] } },
  })
})

it('the new item of a merged one is known with it', async () => {
  const { db } = server.bench
  await storeItems(db, SERVICE, [facts('Q520', { id: 'Q521' })])
  expect((await known(['Q521'])).get('Q521')).toMatchObject({ facts: { id: 'Q521' } })
})

function known(ids: readonly string[]) {
  return knownItems(server.bench.db, SERVICE)(ids, { languages: ['en'], pids: ['P214'] })
}
