/** Answers that may be used again, by address and by the headers that they vary on. */
import { sql } from 'kysely'
import type { StoredPolicy } from '../core/download/cache-policy.ts'
import type { Db } from './connect.ts'
import { prepared } from './prepared.ts'

export interface CachedAnswer {
  readonly id: number
  readonly varyKey: Buffer
  readonly policy: StoredPolicy
  readonly freshUntilMs: number
  readonly finalUrl: string | null
  readonly sha256: string
  readonly bytes: number
  /** MIME type by its content. */
  readonly type: string | null
}

export interface FreshAnswer {
  readonly urlKey: Buffer
  readonly varyKey: Buffer
  /** Without secrets, like `finalUrl`. */
  readonly url: string
  readonly finalUrl: string | null
  readonly sha256: string
  readonly policy: StoredPolicy
  readonly freshUntilMs: number
  readonly nowMs: number
}

/** All answers of an address, the latest first. */
export async function answersOf(db: Db, urlKey: Buffer): Promise<readonly CachedAnswer[]> {
  return (await answersOfAll(db, [urlKey]))[0] ?? []
}

/** As `answersOf`, of each of several addresses. */
export async function answersOfAll(
  db: Db,
  urlKeys: readonly Buffer[],
): Promise<readonly (readonly CachedAnswer[])[]> {
  const { rows } = await sql<CachedAnswer & { readonly nth: number }>`${prepared}
    select asked.nth::integer as nth, c.id, c.vary_key as "varyKey", c.policy,
      (extract(epoch from c.fresh_until) * 1000)::float8 as "freshUntilMs",
      c.final_url as "finalUrl", c.sha256, b.bytes, b.detected_type as type
    from unnest(${urlKeys}::bytea[]) with ordinality as asked (url_key, nth)
    join http_cache c on c.url_key = asked.url_key
    join blobs b on b.sha256 = c.sha256
    order by c.stored_at desc, c.id desc`.execute(db)
  const answers: CachedAnswer[][] = urlKeys.map(() => [])
  for (const { nth, ...answer } of rows) answers[nth - 1]?.push(answer)
  return answers
}

/** Stores an answer, in the place of an earlier one. Its content has a row in `blobs`. */
export async function putAnswer(tx: Db, answer: FreshAnswer): Promise<void> {
  const now = new Date(answer.nowMs)
  const values = {
    url: answer.url,
    final_url: answer.finalUrl,
    sha256: answer.sha256,
    policy: JSON.stringify(answer.policy),
    stored_at: now,
    fresh_until: new Date(answer.freshUntilMs),
    last_used: now,
  }
  await tx
    .insertInto('http_cache')
    .values({ url_key: answer.urlKey, vary_key: answer.varyKey, ...values })
    .onConflict((conflict) => conflict.columns(['url_key', 'vary_key']).doUpdateSet(values))
    .execute()
}

/** As `putAnswer`, of several; of one address and variant only one. */
export async function putAnswers(tx: Db, answers: readonly FreshAnswer[]): Promise<void> {
  const sorted = answers.toSorted(
    (one, other) =>
      Buffer.compare(one.urlKey, other.urlKey) || Buffer.compare(one.varyKey, other.varyKey),
  )
  await sql`${prepared}
    insert into http_cache (url_key, vary_key, url, final_url, sha256, policy, stored_at, fresh_until, last_used)
    select a.url_key, a.vary_key, a.url, a.final_url, a.sha256, a.policy, a.stored_at, a.fresh_until, a.stored_at
    from unnest(
      ${sorted.map(({ urlKey }) => urlKey)}::bytea[],
      ${sorted.map(({ varyKey }) => varyKey)}::bytea[],
      ${sorted.map(({ url }) => url)}::text[],
      ${sorted.map(({ finalUrl }) => finalUrl)}::text[],
      ${sorted.map(({ sha256 }) => sha256)}::text[],
      ${sorted.map(({ policy }) => JSON.stringify(policy))}::jsonb[],
      ${sorted.map(({ nowMs }) => new Date(nowMs))}::timestamptz[],
      ${sorted.map(({ freshUntilMs }) => new Date(freshUntilMs))}::timestamptz[]
    ) as a (url_key, vary_key, url, final_url, sha256, policy, stored_at, fresh_until)
    on conflict (url_key, vary_key) do update
    set url = excluded.url, final_url = excluded.final_url, sha256 = excluded.sha256, policy = excluded.policy,
      stored_at = excluded.stored_at, fresh_until = excluded.fresh_until, last_used = excluded.last_used`.execute(
    tx,
  )
}

/** Of several at once. */
export async function noteUses(db: Db, ids: readonly number[], nowMs: number): Promise<void> {
  await sql`${prepared}
    update http_cache set last_used = ${new Date(nowMs)}::timestamptz where id = any(${ids}::bigint[])`.execute(
    db,
  )
}

export async function noteUse(db: Db, id: number, nowMs: number): Promise<void> {
  await db
    .updateTable('http_cache')
    .set({ last_used: new Date(nowMs) })
    .where('id', '=', id)
    .execute()
}

export async function dropAnswers(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('http_cache').where('id', 'in', ids).execute()
}

/** Forgets every answer whose content is this one. */
export async function dropAnswersWith(tx: Db, sha256: string): Promise<void> {
  await tx.deleteFrom('http_cache').where('sha256', '=', sha256).execute()
}

/** @returns how many answers nobody used since then, which are forgotten */
export async function dropAnswersUnusedSince(db: Db, sinceMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('http_cache')
    .where('last_used', '<', new Date(sinceMs))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
