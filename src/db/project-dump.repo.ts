/** Reads a project as the lines of a file, and writes such lines as a project of other numbers. */
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { type DumpPart, dumpParts, type NumberOf } from './dump-parts.ts'
import { readCursor } from './read-cursor.ts'
import { repeatUndone } from './repeat-undone.ts'

const ROWS_AT_ONCE = 500

/** A row of a part; binary values as `\x…`, moments as ISO 8601. */
export type DumpRow = Readonly<Record<string, unknown>>

/**
 * Calls back with the rows of each part in order, as JSON, all as they were at one moment.
 * @param onRows what a row holds can be written as it is: an answer may have escapes that no object can hold
 */
export async function readProjectDump(
  db: Db,
  projectId: number,
  onRows: (part: string, rows: readonly string[]) => Promise<void>,
): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      for (const part of dumpParts) {
        const ofTable = (name: string) => sql`t.${sql.ref(name)}`
        const columns = sql.join(
          part.columns.map((name) =>
            part.asText?.includes(name) === true
              ? sql`${ofTable(name)}::text as ${sql.ref(name)}`
              : ofTable(name),
          ),
        )
        // Numbers are given in this order again, so whoever goes by them sees the same order.
        const order = sql.join(orderOf(part).map(ofTable))
        const query = sql<{ line: string }>`
          select row_to_json(r)::text as line
          from (select ${columns} from ${sql.table(part.table)} t where ${part.rows(projectId)} order by ${order}) r`
        await readCursor(
          tx,
          query,
          (page) =>
            onRows(
              part.name,
              page.map(({ line }) => line),
            ),
          ROWS_AT_ONCE,
        )
      }
      const current = sql<{ line: string }>`
        select json_build_object('subject_id', id, 'decision_id', decision_id)::text as line
        from subject where project_id = ${projectId}::bigint and decision_id is not null order by id`
      await readCursor(
        tx,
        current,
        (page) =>
          onRows(
            CURRENT,
            page.map(({ line }) => line),
          ),
        ROWS_AT_ONCE,
      )
    })
}

function orderOf(part: DumpPart): readonly string[] {
  return part.numbers['id'] === undefined ? part.columns.slice(0, 3) : ['id']
}

/** Which decision of a record is its present one; after the decisions, which name their record. */
const CURRENT = 'present_decision'

export interface DumpWriter {
  /** Rows of one part, in the order of the file. @returns false: no part of this version is called so */
  write(part: string, rows: readonly DumpRow[]): Promise<boolean>
  /** The number that the file's row of a part got. */
  numberOf(part: NumberOf, old: number): number | undefined
}

/**
 * What others may have too is written at once, in a short transaction per call: held until the end of a long one it would
 * hold up the runs that record the same answers, and they it.
 * @param change What is written in the place of the file's values.
 */
export function createDumpWriter(
  { db, tx }: { readonly db: Db; readonly tx: Db },
  change: (part: string, row: DumpRow) => DumpRow,
): DumpWriter {
  const numbers = new Map<NumberOf, Map<number, number>>()
  const given = (kind: NumberOf): Map<number, number> => {
    const map = numbers.get(kind) ?? new Map<number, number>()
    numbers.set(kind, map)
    return map
  }
  /** A reference to what the file does not have is none: of a row that another project kept. */
  const renumbered = (part: DumpPart, row: DumpRow): Record<string, unknown> => {
    const next: Record<string, unknown> = { ...row }
    for (const [column, kind] of Object.entries(part.numbers)) {
      const old = row[column]
      if (kind !== undefined && typeof old === 'number') next[column] = given(kind).get(old) ?? null
    }
    return next
  }
  return {
    numberOf: (part, old) => given(part).get(old),
    async write(name, rows) {
      if (name === CURRENT) {
        await writePresent(tx, rows, given)
        return true
      }
      const part = dumpParts.find((one) => one.name === name)
      if (part === undefined) return false
      const kind = part.numbers['id']
      if (kind !== undefined) {
        const fresh = await freshNumbers(tx, part.table, rows.length)
        rows.forEach((row, at) => given(kind).set(Number(row['id']), fresh[at] ?? 0))
      }
      const kept = rows.map((row) => renumbered(part, change(name, row)))
      if (part.shared === undefined) {
        await insertRows(tx, part, kept)
        return true
      }
      const sorted = inOrderOf(part.shared.key, kept)
      const there = await repeatUndone(() => insertRows(db, part, sorted))
      if (kind === undefined) return true
      // Where others had the row already, theirs is meant.
      const own = given(kind)
      const byFresh = new Map(there.map(({ wanted, is }) => [wanted, is]))
      for (const row of rows) {
        const old = Number(row['id'])
        own.set(old, byFresh.get(own.get(old) ?? 0) ?? 0)
      }
      return true
    },
  }
}

/** All who write several of them lock them in this order. Binary keys are hexadecimal, whose order is that of bytes. */
function inOrderOf(key: readonly string[], rows: readonly Record<string, unknown>[]) {
  const textOf = (row: Record<string, unknown>) => key.map((name) => String(row[name])).join('\0')
  return rows
    .map((row) => ({ row, text: textOf(row) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row)
}

async function freshNumbers(tx: Db, table: string, count: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id'))::bigint as id
    from generate_series(1, ${count}::integer)`.execute(tx)
  return rows.map(({ id }) => id)
}

/** @returns for shared rows that have a number: the one they were to get, and the one they have */
async function insertRows(
  tx: Db,
  part: DumpPart,
  rows: readonly DumpRow[],
): Promise<readonly { readonly wanted: number; readonly is: number }[]> {
  const first = rows[0]
  if (first === undefined) return []
  const { shared, table } = part
  // What an older file lacks gets its default.
  const names = part.columns.filter((name) => name in first)
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const json = JSON.stringify(rows)
  const source = sql`json_populate_recordset(null::${sql.table(table)}, ${json}::json)`
  const values = sql.join(
    names.map((name) =>
      part.asText?.includes(name) === true ? sql`(${sql.ref(name)} #>> '{}')::json` : sql.ref(name),
    ),
  )
  const insert = sql`insert into ${sql.table(table)} (${columns}) select ${values} from ${source}`
  if (shared === undefined) {
    await insert.execute(tx)
    return []
  }
  const key = sql.join(shared.key.map((name) => sql.ref(name)))
  const updates = names.filter((name) => name !== 'id' && !shared.key.includes(name))
  const better =
    shared.replaces === undefined
      ? sql`do nothing`
      : sql`do update set ${sql.join(updates.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}
          where ${sql.raw(shared.replaces)}`
  await sql`${insert} on conflict (${key}) ${better}`.execute(tx)
  if (part.numbers['id'] === undefined) return []
  const same = sql.join(
    shared.key.map((name) => sql`t.${sql.ref(name)} = f.${sql.ref(name)}`),
    sql` and `,
  )
  const found = await sql<{ wanted: number; is: number }>`
    select f.id as wanted, t.id as is from ${source} f join ${sql.table(table)} t on ${same}`.execute(
    tx,
  )
  return found.rows
}

async function writePresent(
  tx: Db,
  rows: readonly DumpRow[],
  given: (kind: NumberOf) => ReadonlyMap<number, number>,
): Promise<void> {
  const pairs = rows.map((row) => [
    given('subject').get(Number(row['subject_id'])) ?? 0,
    given('decision').get(Number(row['decision_id'])) ?? 0,
  ])
  await sql`
    update subject s set decision_id = f.decision_id
    from unnest(${pairs.map(([subject]) => subject)}::bigint[], ${pairs.map(([, decision]) => decision)}::bigint[])
      as f (subject_id, decision_id)
    where s.id = f.subject_id`.execute(tx)
}
