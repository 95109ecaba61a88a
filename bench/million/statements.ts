/** Where PostgreSQL spends its time, by statement; from its extension pg_stat_statements. */
import { sql } from 'kysely'
import type { Db } from '../../src/db/connect.ts'

/** What a server needs to count statements. */
export const countingStatements = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '1000',
}

export interface StatementTime {
  /** Its tables, `insert into decision, update subject`. */
  readonly label: string
  readonly calls: number
  readonly totalS: number
  readonly longestS: number
}

export async function startCounting(db: Db): Promise<void> {
  await sql`create extension if not exists pg_stat_statements`.execute(db)
  await sql`select pg_stat_statements_reset()`.execute(db)
}

/** Since `startCounting`, those that took longest in sum first. */
export async function countedStatements(db: Db): Promise<readonly StatementTime[]> {
  const { rows } = await sql<{ query: string; calls: number; totalS: number; longestS: number }>`
    select query, calls, total_exec_time / 1000 as "totalS", max_exec_time / 1000 as "longestS"
    from pg_stat_statements order by total_exec_time desc`.execute(db)
  return rows.map(({ query, ...figures }) => ({ label: statementLabel(query), ...figures }))
}

const WRITES =
  /\b(insert into|update|delete from|copy|analyze|create index on|fetch)\s+"?([a-z_]+)/g
const READS = /\b(?:from|join)\s+"?([a-z_]+)/g
/** Words that stand where a table can. */
const NOT_A_TABLE = new Set([
  'set',
  'of',
  'unnest',
  'jsonb_to_recordset',
  'old',
  'missing',
  'fresh',
])

/** What a statement writes, else what it reads; some of its text where it does neither. */
export function statementLabel(query: string): string {
  const text = query
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  const writes = [...text.matchAll(WRITES)].flatMap(([, verb, table = '']) =>
    NOT_A_TABLE.has(table) ? [] : [`${verb} ${table}`],
  )
  if (writes.length > 0) return [...new Set(writes)].join(', ')
  const tables = [...text.matchAll(READS)].flatMap(([, table = '']) =>
    NOT_A_TABLE.has(table) ? [] : [table],
  )
  return tables.length > 0 ? `read ${[...new Set(tables)].join(', ')}` : text.slice(0, 40)
}
