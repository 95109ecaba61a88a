import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { sha256 } from './sha256.ts'
import type { ServiceAbout } from './tables/service-version.table.ts'

/** Keeps what a service says of itself. @returns the row that answers name from now on */
export async function rememberServiceVersion(
  db: Db,
  service: string,
  about: ServiceAbout,
): Promise<number> {
  const text = JSON.stringify(about)
  const { id } = await db
    .insertInto('service_version')
    .values({ service, about_hash: sha256(text), about: text })
    .onConflict((conflict) =>
      conflict
        .columns(['service', 'about_hash'])
        .doUpdateSet({ last_seen_at: sql<Date>`clock_timestamp()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What a service said of itself when it was asked last; undefined when it never was. */
export async function lastServiceAbout(db: Db, service: string): Promise<ServiceAbout | undefined> {
  const row = await db
    .selectFrom('service_version')
    .where('service', '=', service)
    .select('about')
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.about
}
