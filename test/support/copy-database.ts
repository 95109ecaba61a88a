/**
 * Copies the rows of a database into another one with the same tables, as they were at one moment: what `pg_dump` and
 * `pg_restore` do, whose programs are not everywhere.
 */
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

export async function copyDatabase(fromUrl: string, toUrl: string): Promise<void> {
  const [source, target] = [fromUrl, toUrl].map((url) => new Client({ connectionString: url }))
  if (source === undefined || target === undefined) throw new TypeError('expected two databases')
  await source.connect()
  await target.connect()
  try {
    await source.query('begin isolation level repeatable read read only')
    // As a restore does: no trigger of a foreign key looks at rows that are not there yet.
    await target.query('begin; set local session_replication_role = replica')
    const tables = await source.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    )
    for (const { name } of tables.rows) {
      await target.query(`delete from ${name}`)
      await pipeline(
        source.query(copyTo(`copy ${name} to stdout`)),
        target.query(copyFrom(`copy ${name} from stdin`)),
      )
    }
    const sequences = await source.query<{ name: string; last: string | null }>(
      `select quote_ident(sequencename) as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
    )
    for (const { name, last } of sequences.rows) {
      if (last !== null) await target.query('select setval($1::regclass, $2::bigint)', [name, last])
    }
    await target.query('commit')
    await source.query('commit')
  } finally {
    await source.end()
    await target.end()
  }
}
