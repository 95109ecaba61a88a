/** What another matcher says about one record. */
export interface PeerAnswer {
  /** Best first. */
  readonly candidates: readonly string[]
  /** What it would match by itself; null: nothing. */
  readonly matched: string | null
}
