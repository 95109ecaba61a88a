import type { Candidate } from '../candidate.ts'
import type { FeatureLevel } from './feature-level.ts'

/**
 * Whether a candidate is of a type asked for. Only the service knows the subclasses: a type that is not the same is
 * unknown unless the service says that it does not fit.
 */
export function typeFeature(
  types: readonly string[],
  candidate: Candidate,
): readonly FeatureLevel[] {
  if (types.length === 0) return []
  const reported = candidate.features.find(({ id }) => id === 'type')?.value
  const isSame = candidate.types.some(({ id }) => types.includes(id))
  const verdict =
    isSame || reported === true ? 'agree' : reported === false ? 'disagree' : 'unknown'
  return [
    {
      feature: 'type',
      verdict,
      keys: verdict === 'unknown' ? [] : [`type.${verdict}`],
      record: types.join(' | '),
      candidate: candidate.types.map(({ id, name }) => name ?? id).join(' | '),
      how: isSame ? 'same' : reported === undefined ? 'not known' : 'service',
    },
  ]
}
