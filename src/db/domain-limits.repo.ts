import type { LimiterSnapshot } from '../core/limiter/protocol.ts'
import type { Db } from './connect.ts'

export interface SavedDomainLimit {
  readonly domain: string
  readonly state: object
  readonly snapshot: LimiterSnapshot
}

/** Overwrites what a domain's limiter has learned; a policy set by hand stays. */
export async function saveDomainLimit(db: Db, saved: SavedDomainLimit): Promise<void> {
  const learned = {
    state: JSON.stringify(saved.state),
    snapshot: JSON.stringify(saved.snapshot),
    updated_at: new Date(),
  }
  await db
    .insertInto('domain_limit')
    .values({ domain: saved.domain, ...learned })
    .onConflict((conflict) => conflict.column('domain').doUpdateSet(learned))
    .execute()
}

/** Keeps the latest snapshot for people; what the limiter has learned stays. */
export async function saveSnapshot(db: Db, snapshot: LimiterSnapshot): Promise<void> {
  const seen = { snapshot: JSON.stringify(snapshot), updated_at: new Date() }
  await db
    .insertInto('domain_limit')
    .values({ domain: snapshot.domain, ...seen })
    .onConflict((conflict) => conflict.column('domain').doUpdateSet(seen))
    .execute()
}

/** The state last saved of a domain, as stored; null when there is none. */
export async function loadDomainLimit(db: Db, domain: string): Promise<object | null> {
  const row = await db
    .selectFrom('domain_limit')
    .where('domain', '=', domain)
    .select('state')
    .executeTakeFirst()
  return row?.state ?? null
}
