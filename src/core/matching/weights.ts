/**
 * Points of each feature, in bits: +1 doubles the odds that a candidate is the right one, −1 halves them. Set by hand
 * from the sample; a version is written with every decision, so a change of any number needs a new version.
 */
export const WEIGHTS_VERSION = '2026-11-a'

export const weights = {
  /** Odds of a candidate before anything was compared. */
  prior: -4.5,
  name: {
    /** Equal in form A, B or C (research reconciliation §4.4). */
    equal: 7,
    /** Equal without the legal form. */
    equalWithoutLegalForm: 6,
    /** The service found an equal alias that it did not show. */
    alias: 6,
    /** All words of one name occur in the other. */
    contained: 2.5,
    /** A spelling error away. */
    almostEqual: 4,
    similar: 1,
    different: -6,
  },
  /** Taken off when the name agrees by a variant of the record and not by its main name. */
  variant: -0.5,
  country: { agree: 3, disagree: -4 },
  kind: { agree: 2.5, disagree: -1.5 },
  year: { agree: 4, disagree: -6 },
  /** A property that the service compared itself. */
  feature: { agree: 3, partly: 0, disagree: -2 },
} as const
