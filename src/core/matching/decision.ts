/** What a run concluded about a record, with everything needed to explain it later. */

export type Outcome = 'matched' | 'review' | 'no_candidate' | 'skipped'

/** `unknown` weighs nothing: a missing value is never agreement and never disagreement. */
export type Verdict = 'agree' | 'partly' | 'disagree' | 'unknown'

/** One compared feature and its share of the score. */
export interface FeatureEvidence {
  /** `name`, `kind`, or a property id. */
  readonly feature: string
  readonly verdict: Verdict
  /** Points it adds to (or takes from) the score. */
  readonly weight: number
  /** What the record has, what the candidate has, and how they agreed (`form B`, `description`). */
  readonly record: string
  readonly candidate: string
  readonly how: string
}

/** A candidate with its score, best first in the evidence. */
export interface ScoredCandidate {
  readonly id: string
  readonly label: string | null
  readonly description: string | null
  /** 0 to 100. */
  readonly score: number
  /** A hard rule forbids an automatic match with it; null: none does. */
  readonly veto: string | null
  readonly features: readonly FeatureEvidence[]
  /** Ids under which it was found although it has been merged into `id` since. */
  readonly foundAs?: readonly string[]
}

export interface DecisionEvidence {
  /** The names that were asked for, in order. */
  readonly asked: readonly string[]
  readonly candidates: readonly ScoredCandidate[]
  /** Candidates that were scored; only the best few are kept. */
  readonly candidatesTotal: number
  readonly truncated: boolean
  /** Found, but no longer there; absent where there is none. */
  readonly gone?: readonly string[]
  /** What the record had failed of when a person set it aside. */
  readonly failure?: { readonly code: string | null; readonly message: string | null }
}

export interface Decision {
  readonly outcome: Outcome
  /** Stable name of the rule that decided, such as `score-and-lead` or `empty-name`. */
  readonly rule: string
  /** One sentence for people. */
  readonly reason: string
  /** The best candidate; null without one. */
  readonly best: ScoredCandidate | null
  readonly runnerUp: ScoredCandidate | null
  /** Lead of the best over the second, 0 to 100; null without a best. */
  readonly margin: number | null
  readonly evidence: DecisionEvidence
}
