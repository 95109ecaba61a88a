/** An entity a service proposed for a name, read tolerantly (research reconciliation §1.8). */

export interface EntityType {
  readonly id: string
  readonly name?: string | undefined
}

export interface CandidateFeature {
  readonly id: string
  readonly value: number | boolean
}

/** One candidate as a service returned it, after merging duplicates of the same id. */
export interface Candidate {
  readonly id: string
  /** The first name given; null where the service sent none. */
  readonly name: string | null
  /** All names under which the id was returned. */
  readonly names: readonly string[]
  readonly description: string | null
  readonly types: readonly EntityType[]
  /** The service's own score as a finite number, whatever its scale; null where absent or not a number. */
  readonly serviceScore: number | null
  /** True only when the service said exactly `true`, for one candidate only. */
  readonly serviceMatch: boolean
  readonly features: readonly CandidateFeature[]
}

/** The answer to one lookup. */
export interface CandidateList {
  /** Best first: by the service's score, then by its own order. */
  readonly candidates: readonly Candidate[]
  /** The list reached the limit asked for, so the right one may have been cut off. */
  readonly truncated: boolean
}
