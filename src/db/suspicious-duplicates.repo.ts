import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { prepared } from './prepared.ts'

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

export interface DoneContent {
  readonly queue: string
  readonly host: string
  readonly sha256: string
  /** Artifacts with the same content that are normal. */
  readonly most: number
}

/** As `flagDuplicates`, of several. */
export async function flagAllDuplicates(tx: Db, contents: readonly DoneContent[]): Promise<void> {
  const { rows } = await sql<DoneContent>`${prepared}
    select distinct done.queue, done.host, done.sha256, done.most
    from unnest(
      ${contents.map(({ queue }) => queue)}::text[],
      ${contents.map(({ host }) => host)}::text[],
      ${contents.map(({ sha256 }) => sha256)}::text[],
      ${contents.map(({ most }) => most)}::integer[]
    ) as done (queue, host, sha256, most)
    where done.most < (
      select count(*) from (
        select from jobs j
        where j.sha256 = done.sha256 and j.host = done.host and j.queue = done.queue and j.state = 'done'
        limit done.most + 1
      ) as equal)`.execute(tx)
  for (const { most, ...content } of rows) await flagDuplicates(tx, content, most)
}
