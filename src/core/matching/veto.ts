import type { FeatureLevel } from './features/feature-level.ts'

const CONTRADICTIONS = new Set(['date.far', 'date.other-day', 'id.disagree', 'generation'])
const UNCERTAIN_DATE = 'date.close'
const SAME_DATE = new Set(['date.day', 'date.year', 'date.same-year'])

/**
 * What forbids an automatic match, whatever speaks for it: another identifier, another day of the same year, years far
 * apart, the elder for the younger. A few years apart is forgiven where another date agrees: sources differ.
 * @returns which feature disagrees; null when none does.
 */
export function vetoOf(features: readonly FeatureLevel[]): string | null {
  const against = features.find(({ keys }) => keys.some((key) => CONTRADICTIONS.has(key)))
  if (against !== undefined) return `${against.feature} disagrees`
  const uncertain = features.find(({ keys }) => keys.includes(UNCERTAIN_DATE))
  const isKnownByDate = features.some(({ keys }) => keys.some((key) => SAME_DATE.has(key)))
  return uncertain === undefined || isKnownByDate ? null : `${uncertain.feature} is years apart`
}
