/**
 * Statements that the server reads and plans once for each connection. To plan one of several parts takes it some
 * milliseconds, mostly longer than to do it for a few rows. A plan made for small tables lasts until they are analyzed,
 * which the server does by itself a minute after they have grown.
 */
import type { PostgresPoolClient } from 'kysely'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { sha256Hex } from './sha256.ts'

const MARK = '/* prepared */'

/**
 * Begins a statement that is to be prepared. Its text must be the same each time (a list goes in as one array), its columns
 * named one by one, and its best plan must not depend on its values.
 */
export const prepared = sql.raw(MARK)

const names = new Map<string, string>()
const clients = new WeakMap<PoolClient, PostgresPoolClient>()

/** The client as the query builder is to see it; the same one each time, as it remembers what it knows of a connection. */
export function preparingClient(client: PoolClient): PostgresPoolClient {
  const known = clients.get(client)
  if (known !== undefined) return known
  const query = (text: string, values: unknown[]): unknown =>
    text.startsWith(MARK)
      ? client.query({ name: nameOf(text), text, values })
      : client.query(text, values)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builder has no cursors, the only other way to call it
  const preparing = {
    query,
    release: (isBroken?: boolean) => client.release(isBroken),
  } as PostgresPoolClient
  clients.set(client, preparing)
  return preparing
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = sha256Hex(text).slice(0, 32)
  names.set(text, name)
  return name
}
