/** An entity a service proposed for a name, read tolerantly (research reconciliation §1.8). */

export interface EntityType {
  readonly id: string
  readonly name?: string | undefined
}

export interface CandidateFeature {
  readonly id: string
  readonly value: number | boolean
}

/** A value an entity holds: text (a date, `lat,lon`, an identifier, an address) or another entity. */
export type HeldValue = string | { readonly id: string; readonly name?: string | undefined }

/** One candidate as a service returned it, after merging duplicates of the same id. */
export interface Candidate {
  readonly id: string
  /** The first name given; null where the service sent none. */
  readonly name: string | null
  /** All names under which the id was returned, and the aliases shown with it. */
  readonly names: readonly string[]
  readonly description: string | null
  readonly types: readonly EntityType[]
  /** The service's own score as a finite number, whatever its scale; null where absent or not a number. */
  readonly serviceScore: number | null
  /** True only when the service said exactly `true`, for one candidate only. */
  readonly serviceMatch: boolean
  readonly features: readonly CandidateFeature[]
  /**
   * What the entity states, by property id, as far as the service showed it; absent in answers stored before services
   * were read for it. A property that is not there is unknown, never "has none".
   */
  readonly properties?: Readonly<Record<string, readonly HeldValue[]>>
  /** Ids under which it was found although it has been merged into `id` since. */
  readonly foundAs?: readonly string[]
}

/** The answer to one lookup. */
export interface CandidateList {
  /** Best first: by the service's score, then by its own order. */
  readonly candidates: readonly Candidate[]
  /** The list reached the limit asked for, so the right one may have been cut off. */
  readonly truncated: boolean
  /** Found, but no longer there: deleted, or merged twice. */
  readonly gone?: readonly string[]
}
