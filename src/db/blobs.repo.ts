/**
 * Contents in the store. A row that refers to one is written while the content is held: nothing can collect it between
 * the look at the store and the row.
 */
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { prepared } from './prepared.ts'

export interface KnownBlob {
  readonly sha256: string
  readonly bytes: number
}

/** Until the transaction ends nobody removes this content. */
export async function holdBlob(tx: Db, sha256: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockOf(sha256)})`.execute(tx)
}

/** Until the transaction ends nobody begins to refer to this content. */
export async function seizeBlob(tx: Db, sha256: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockOf(sha256)})`.execute(tx)
}

/** As `holdBlob`, of several. */
export async function holdBlobs(tx: Db, sha256s: readonly string[]): Promise<void> {
  await sql`${prepared}
    select pg_advisory_xact_lock_shared(hashtextextended('record-linker blob ' || held.sha256, 0))
    from unnest(${sha256s}::text[]) as held (sha256)`.execute(tx)
}

function lockOf(sha256: string) {
  return sql`hashtextextended(${`record-linker blob ${sha256}`}::text, 0)`
}

/** Notes a content that is held and in the store; what was noted before stays. */
export async function putBlob(
  tx: Db,
  { sha256, bytes, type }: KnownBlob & { readonly type: string | null },
): Promise<void> {
  await tx
    .insertInto('blobs')
    .values({ sha256, bytes, detected_type: type, verified_at: null })
    .onConflict((conflict) =>
      conflict.column('sha256').doUpdateSet((eb) => ({
        bytes: eb.ref('excluded.bytes'),
        detected_type: eb.fn.coalesce('excluded.detected_type', 'blobs.detected_type'),
      })),
    )
    .execute()
}

/** As `putBlob`, of several; none twice. In order, so that two who put the same wait for each other in turn. */
export async function putBlobs(
  tx: Db,
  blobs: readonly (KnownBlob & { readonly type: string | null })[],
): Promise<void> {
  const sorted = blobs.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1))
  await sql`${prepared}
    insert into blobs (sha256, bytes, detected_type)
    select * from unnest(
      ${sorted.map(({ sha256 }) => sha256)}::text[],
      ${sorted.map(({ bytes }) => bytes)}::bigint[],
      ${sorted.map(({ type }) => type)}::text[])
    on conflict (sha256) do update
    set bytes = excluded.bytes, detected_type = coalesce(excluded.detected_type, blobs.detected_type)`.execute(
    tx,
  )
}

/** Rows in order of their hash, behind one. */
export async function blobsAfter(
  db: Db,
  sha256: string,
  limit: number,
): Promise<readonly KnownBlob[]> {
  return db
    .selectFrom('blobs')
    .where('sha256', '>', sha256)
    .select(['sha256', 'bytes'])
    .orderBy('sha256')
    .limit(limit)
    .execute()
}

export async function findBlob(db: Db, sha256: string): Promise<KnownBlob | undefined> {
  return db
    .selectFrom('blobs')
    .where('sha256', '=', sha256)
    .select(['sha256', 'bytes'])
    .executeTakeFirst()
}

/** Notes that the bytes were read and are right, or (`false`) that they are not. */
export async function noteVerified(db: Db, sha256: string, isWhole: boolean): Promise<void> {
  await db
    .updateTable('blobs')
    .set({ verified_at: isWhole ? sql<Date>`now()` : null })
    .where('sha256', '=', sha256)
    .execute()
}

/** Forgets a content that was seized. */
export async function dropBlob(tx: Db, sha256: string): Promise<void> {
  await tx.deleteFrom('blobs').where('sha256', '=', sha256).execute()
}
