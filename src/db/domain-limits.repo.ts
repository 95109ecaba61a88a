/**
 * What is kept of each domain's limiter. Brokers write snapshots, the limiter what it learned, commands the
 * policy; pauses are written by both, so that they hold whether a limiter runs or not.
 */
import { sql, type InsertObject, type RawBuilder } from 'kysely'
import type { DomainSnapshot } from '../core/limiter/protocol.ts'
import type { Db } from './connect.ts'
import type { Database } from './database.ts'

export interface SavedDomainLimit {
  readonly domain: string
  readonly state: object
  readonly snapshot: DomainSnapshot
}

/** What a starting limiter goes on from. */
export interface KeptDomainLimit {
  readonly state: object | null
  /** As stored; may come from another version. */
  readonly policy: Readonly<Record<string, unknown>> | null
  readonly pausedBecause: string | null
}

/** A domain as people see it. */
export interface DomainLimit {
  readonly domain: string
  /** As stored by `changeDomainPolicy`. */
  readonly policy: Readonly<Record<string, unknown>> | null
  readonly pausedBecause: string | null
  /** Null when it was never asked, or what was learned was forgotten. */
  readonly snapshot: DomainSnapshot | null
  /** Of the snapshot, by the database's clock; null without one. */
  readonly ageMs: number | null
}

export interface DomainLimitTotals {
  readonly totalRequests: number
  readonly throttledRequests: number
  readonly denied: number
  readonly retries: number
  readonly openCircuits: number
  readonly halfOpenCircuits: number
}

/** Overwrites what a domain's limiter has learned; a policy set by command stays. */
export async function saveDomainLimit(
  db: Db,
  saved: SavedDomainLimit,
  pausedBecause: string | null,
): Promise<void> {
  const learned = {
    state: JSON.stringify(saved.state),
    paused_because: pausedBecause,
    ...seenNow(saved.snapshot),
  }
  await upsert(db, saved.domain, learned)
}

/** Keeps the latest snapshot for people; what the limiter has learned stays. */
export async function saveSnapshot(db: Db, snapshot: DomainSnapshot): Promise<void> {
  await upsert(db, snapshot.domain, seenNow(snapshot))
}

/** What was kept of a domain; undefined when nothing ever was. */
export async function loadDomainLimit(
  db: Db,
  domain: string,
): Promise<KeptDomainLimit | undefined> {
  return db
    .selectFrom('domain_limit')
    .where('domain', '=', domain)
    .select(['state', 'policy', 'paused_because as pausedBecause'])
    .executeTakeFirst()
}

export async function findDomainLimit(db: Db, domain: string): Promise<DomainLimit | undefined> {
  return selectForPeople(db).where('domain', '=', domain).executeTakeFirst()
}

/** The domains asked last come first, those never asked last. */
export async function listDomainLimits(db: Db, most: number): Promise<readonly DomainLimit[]> {
  return selectForPeople(db)
    .orderBy('seen_at', (order) => order.desc().nullsLast())
    .orderBy('domain')
    .limit(most)
    .execute()
}

/** Over all domains; a breaker whose open time is over is half open, also when nobody has asked since. */
export async function sumDomainLimits(db: Db): Promise<DomainLimitTotals> {
  const sum = (name: string) => sql<number>`coalesce(sum((snapshot->>${name})::numeric), 0)::float8`
  const isShut = sql`seen_at + (snapshot->>'nextEarliest')::float8 * interval '1 ms' > now()`
  const isOpen = sql`(snapshot->>'state' = 'open' and ${isShut})`
  const count = (condition: RawBuilder<unknown>) =>
    sql<number>`(count(*) filter (where ${condition}))::int`
  return db
    .selectFrom('domain_limit')
    .select([
      sum('totalRequests').as('totalRequests'),
      sum('throttledRequests').as('throttledRequests'),
      sum('denied').as('denied'),
      sum('retries').as('retries'),
      count(isOpen).as('openCircuits'),
      count(sql`snapshot->>'state' in ('open', 'half_open') and not ${isOpen}`).as(
        'halfOpenCircuits',
      ),
    ])
    .executeTakeFirstOrThrow()
}

/** Every domain something is kept of, the ones asked last first. */
export async function listDomains(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('domain_limit')
    .select('domain')
    .orderBy('seen_at', (order) => order.desc().nullsLast())
    .execute()
  return rows.map(({ domain }) => domain)
}

/** Domains whose limiter may still run, because they were seen within `withinMs`. */
export async function listRecentDomains(db: Db, withinMs: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('domain_limit')
    .select('domain')
    .where(sql<boolean>`seen_at > now() - ${withinMs / 1000} * interval '1 second'`)
    .execute()
  return rows.map(({ domain }) => domain)
}

export interface PolicyChange {
  /** Forget what was set before. */
  readonly fromScratch: boolean
  readonly set: Readonly<Record<string, unknown>>
  /** Fields whose set value is forgotten. */
  readonly unset: readonly string[]
}

/** Changes the policy set by command; fields that are not named stay as they were set. */
export async function changeDomainPolicy(
  db: Db,
  domain: string,
  { fromScratch, set, unset }: PolicyChange,
): Promise<void> {
  const values = JSON.stringify(set)
  const before = fromScratch ? sql`'{}'::jsonb` : sql`coalesce(domain_limit.policy, '{}')`
  // A policy without fields is none.
  await sql`
    insert into domain_limit (domain, policy)
    values (${domain}, nullif(${values}::jsonb, '{}'))
    on conflict (domain) do update
      set policy = nullif((${before} - ${[...unset]}::text[]) || ${values}::jsonb, '{}')`.execute(
    db,
  )
}

/** @param because null: it goes on. */
export async function setDomainPause(
  db: Db,
  domain: string,
  because: string | null,
): Promise<void> {
  await upsert(db, domain, { paused_because: because })
}

/** Forgets what was learned and counted; policy and pause stay. */
export async function forgetLearned(db: Db, domain: string): Promise<void> {
  await db
    .updateTable('domain_limit')
    .set({ state: null, snapshot: null, seen_at: null })
    .where('domain', '=', domain)
    .execute()
}

function seenNow(snapshot: DomainSnapshot) {
  return { snapshot: JSON.stringify(snapshot), seen_at: sql<Date>`now()` }
}

async function upsert(
  db: Db,
  domain: string,
  values: Omit<InsertObject<Database, 'domain_limit'>, 'domain'>,
): Promise<void> {
  await db
    .insertInto('domain_limit')
    .values({ domain, ...values })
    .onConflict((conflict) => conflict.column('domain').doUpdateSet(values))
    .execute()
}

function selectForPeople(db: Db) {
  return db
    .selectFrom('domain_limit')
    .select([
      'domain',
      'policy',
      'paused_because as pausedBecause',
      'snapshot',
      sql<number | null>`(extract(epoch from now() - seen_at) * 1000)::float8`.as('ageMs'),
    ])
}
