import type { Generated, JSONColumnType } from 'kysely'

/** What a service says of itself, as far as it says it. */
export interface ServiceAbout {
  readonly name: string
  /** Of the API, as declared. */
  readonly versions: readonly string[]
  /** Of the service itself; null where it names none. */
  readonly serviceVersion: string | null
  readonly identifierSpace: string
  /** Most queries in one batch; null where it does not say. */
  readonly batchSize: number | null
}

export interface ServiceVersionTable {
  id: Generated<number>
  service: string
  /** SHA-256 of `about` as it was written. */
  about_hash: Buffer
  about: JSONColumnType<ServiceAbout>
  first_seen_at: Generated<Date>
  last_seen_at: Generated<Date>
}
