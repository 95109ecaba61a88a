import type { FeatureEvidence } from './decision.ts'

/** A compared feature with its part in the score of its candidate. */
export interface FeatureShare extends FeatureEvidence {
  /**
   * Its weight as part of all weights of the candidate, for and against, in percent: −100 to 100. 0 for a candidate
   * that nothing was known of.
   */
  readonly share: number
}

/** How much of a candidate's score each feature made. */
export function scoreShares(features: readonly FeatureEvidence[]): readonly FeatureShare[] {
  const all = features.reduce((sum, { weight }) => sum + Math.abs(weight), 0)
  return features.map((feature) => ({
    ...feature,
    share: all === 0 ? 0 : Math.round((feature.weight / all) * 100),
  }))
}
