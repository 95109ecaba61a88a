import type { Generated } from 'kysely'

/** A content in the store. */
export interface BlobTable {
  /** Small hexadecimal digits. */
  sha256: string
  bytes: number
  /** MIME type by its content. */
  detected_type: string | null
  stored_at: Generated<Date>
  /** When its bytes were last hashed again, and were right. */
  verified_at: Date | null
}
