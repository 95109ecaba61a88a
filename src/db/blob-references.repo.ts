/** Who refers to a content: jobs that are done, and answers that may be used again. */
import { type RawBuilder, sql } from 'kysely'
import { dropBlob, seizeBlob } from './blobs.repo.ts'
import type { Db } from './connect.ts'

function isReferred(sha256: RawBuilder<string>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from jobs j where j.sha256 = ${sha256})
    or exists (select from http_cache c where c.sha256 = ${sha256}))`
}

/** Those of some contents that nobody refers to. */
export async function unreferredOf(
  db: Db,
  sha256s: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ sha256: string }>`
    select wanted.sha256
    from unnest(${sha256s}::text[]) as wanted (sha256)
    where not ${isReferred(sql`wanted.sha256`)}`.execute(db)
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** Rows of contents that nobody refers to, stored before some moment. */
export async function unreferredRows(db: Db, beforeMs: number): Promise<readonly string[]> {
  const { rows } = await sql<{ sha256: string }>`
    select b.sha256
    from blobs b
    where b.stored_at < ${new Date(beforeMs)}::timestamptz and not ${isReferred(sql`b.sha256`)}
    order by b.sha256`.execute(db)
  return rows.map(({ sha256 }) => sha256)
}

/**
 * Forgets a content and removes it from the store, unless somebody refers to it by now.
 * @param remove from the store; when it fails, the row stays
 * @returns whether it went
 */
export async function collectBlob(
  db: Db,
  sha256: string,
  remove: () => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await seizeBlob(tx, sha256)
    if (!(await unreferredOf(tx, [sha256])).has(sha256)) return false
    await dropBlob(tx, sha256)
    await remove()
    return true
  })
}

/** Contents that jobs have and of which there is no row. */
export async function jobContentsWithoutRow(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ sha256: string }>`
    select distinct j.sha256
    from jobs j
    where j.sha256 is not null and not exists (select from blobs b where b.sha256 = j.sha256)
    order by j.sha256`.execute(db)
  return rows.map(({ sha256 }) => sha256)
}

/** Jobs that are done with one of these contents. */
export async function jobsWithContent(
  db: Db,
  sha256s: readonly string[],
): Promise<readonly { readonly id: number; readonly sha256: string }[]> {
  const { rows } = await sql<{ id: number; sha256: string }>`
    select id, sha256 from jobs where sha256 = any(${sha256s}::text[]) order by id`.execute(db)
  return rows
}

/** Tokens of the attempts that run now. */
export async function runningTokens(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ token: string }>`
    select attempt_token::text as token from jobs where attempt_token is not null`.execute(db)
  return new Set(rows.map(({ token }) => token))
}
