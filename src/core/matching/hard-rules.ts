/** Rules of decisions that no score lets through: neither a lower threshold nor a rule for many records at once. */
export const hardRules: readonly string[] = [
  'veto',
  'name-differs',
  'list-cut-off',
  'rejected-before',
  'match-changed',
  'given-id-contradicted',
  'unknown-id',
  'identifier-in-doubt',
  'identifier-not-shown',
]
