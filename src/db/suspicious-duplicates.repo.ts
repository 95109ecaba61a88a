import { sql } from 'kysely'
import type { Db } from './connect.ts'

const SUSPICIOUS_DUPLICATE = 'suspicious-duplicate'

/**
 * Flags what has the same content as many others of its host: mostly a login page or a notice of a quota.
 * @param most artifacts with the same content that are normal
 * @returns whether they are suspicious
 */
export async function flagDuplicates(
  tx: Db,
  {
    queue,
    host,
    sha256,
  }: { readonly queue: string; readonly host: string; readonly sha256: string },
  most: number,
): Promise<boolean> {
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::integer as jobs from (
      select 1 from jobs
      where queue = ${queue}::text and host = ${host}::text and sha256 = ${sha256}::text and state = 'done'
      limit ${most + 1}::integer
    ) as equal`.execute(tx)
  if ((rows[0]?.jobs ?? 0) <= most) return false
  await sql`
    update jobs set flag = ${SUSPICIOUS_DUPLICATE}::text, updated_at = now()
    where queue = ${queue}::text and host = ${host}::text and sha256 = ${sha256}::text and state = 'done'
      and flag is null`.execute(tx)
  return true
}
