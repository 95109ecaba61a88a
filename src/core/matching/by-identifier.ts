/** A record without a name is asked by its identifiers, and what has the same one is what it is about. */
import type { Outcome, ScoredCandidate } from './decision.ts'
import { sharesIdentifier } from './name-verdict.ts'

export interface IdentifierConclusion {
  readonly outcome: Outcome
  readonly rule: string
  readonly reason: string
  /** What it is about, or perhaps. */
  readonly candidate: ScoredCandidate | undefined
}

/**
 * @param scored best first
 * @param sureId what the service itself is sure of; undefined for nothing
 */
export function concludeByIdentifier(
  scored: readonly ScoredCandidate[],
  sureId: string | undefined,
): IdentifierConclusion {
  const [holder, other] = scored.filter((candidate) => sharesIdentifier(candidate))
  if (holder !== undefined) {
    const against =
      holder.veto ?? (other === undefined ? null : `${other.id} has the same identifier`)
    return against === null
      ? {
          outcome: 'matched',
          rule: 'same-identifier',
          reason: 'Has the same identifier; the record has no name to ask for.',
          candidate: holder,
        }
      : {
          outcome: 'review',
          rule: 'identifier-in-doubt',
          reason: `Perhaps ${nameOf(holder)}: it has the same identifier, but ${against}.`,
          candidate: holder,
        }
  }
  // A service may know the identifier without showing it; another one that it shows says that it is not this item.
  const sure = scored.find(({ id, veto }) => id === sureId && veto === null)
  if (sure !== undefined) {
    return {
      outcome: 'review',
      rule: 'identifier-not-shown',
      reason: `Perhaps ${nameOf(sure)}: the service is sure, but does not show its identifier.`,
      candidate: sure,
    }
  }
  return {
    outcome: 'no_candidate',
    rule: 'nothing-found',
    reason: 'The record has no name, and the service knows nothing with its identifier.',
    candidate: undefined,
  }
}

function nameOf({ id, label }: ScoredCandidate): string {
  return `${id} ${label ?? '(no label)'}`
}
