import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** @returns a text that changes with every decision and judgment, in whatever project */
export async function decidedState(db: Db): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select concat((select max(id) from decision), ' ', (select max(id) from judgment)) as state`.execute(
    db,
  )
  return rows[0]?.state ?? ''
}
