import type { Generated, JSONColumnType } from 'kysely'
import type { StoredPolicy } from '../../core/download/cache-policy.ts'

/** An answer that may be used again, by RFC 9111. */
export interface HttpCacheTable {
  id: Generated<number>
  /** SHA-256 of method and address, without its fragment. */
  url_key: Buffer
  /** SHA-256 of the request headers that the answer varies on. */
  vary_key: Buffer
  /** Without secrets, for people. */
  url: string
  /** Where redirects ended, without secrets. */
  final_url: string | null
  sha256: string
  /** Headers that matter, without secrets. */
  policy: JSONColumnType<StoredPolicy>
  stored_at: Date
  fresh_until: Date
  last_used: Date
}
