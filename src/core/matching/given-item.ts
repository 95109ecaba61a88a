/**
 * A record that gives the item it is about is verified, not searched for:
 *
 *   asked by the id ─▶ the service has it              ─▶ matched; review where the record contradicts it
 *                   ─▶ it has another one in its place ─▶ the same, and the decision says so (a merged item)
 *                   ─▶ it has none                     ─▶ `unknown-id`: what the names find is for a person
 */
import type { Candidate, CandidateList } from './candidate.ts'
import type { ScoredCandidate, Verdict } from './decision.ts'
import { isWikidataId } from './wikidata-id.ts'

/** The item a service has for the id that was given. */
export interface VerifiedItem {
  readonly id: string
  /** The id that was given, where the service has another item in its place. */
  readonly instead: string | undefined
}

/** What a service says of the text of a query is about the id here, and tells nothing of the record's name. */
const ABOUT_THE_QUERY = new Set(['name', 'all_labels'])

/**
 * What the answer to an id says of it. Wikidata names the id that led to an item. Any other service that searches for the id as for a name may find something that is
 * called so; only a sure, single answer under another id that is not called so is taken for the item in its place.
 */
export function verifyItem(given: string, answer: CandidateList): VerifiedItem | undefined {
  if (answer.candidates.some(({ id }) => id === given)) return { id: given, instead: undefined }
  const merged = answer.candidates.find(({ foundAs }) => foundAs?.includes(given) === true)
  if (merged !== undefined) return { id: merged.id, instead: given }
  const [only, ...others] = answer.candidates
  if (only === undefined || others.length > 0 || !only.serviceMatch) return undefined
  const isCalledSo = only.names.some((name) => name.trim().toUpperCase() === given)
  if (isCalledSo || !isWikidataId(given) || !isWikidataId(only.id)) return undefined
  return { id: only.id, instead: given }
}

/** The item of the answer alone: the others were found by chance. */
export function verifiedList(answer: CandidateList, { id: verified }: VerifiedItem): CandidateList {
  const candidates = answer.candidates
    .filter(({ id }) => id === verified)
    .map((candidate): Candidate => {
      const features = candidate.features.filter(({ id }) => !ABOUT_THE_QUERY.has(id))
      return { ...candidate, features }
    })
  return { candidates, truncated: false }
}

export interface ItemConclusion {
  readonly outcome: 'matched' | 'review'
  readonly rule: string
  readonly reason: string
}

/** @param nameVerdict `unknown` where the record has no name */
export function concludeVerified(
  { id, label, veto }: ScoredCandidate,
  { instead }: VerifiedItem,
  nameVerdict: Verdict,
): ItemConclusion {
  const said =
    instead === undefined
      ? `${id} is given, and the service has it`
      : `${instead} is given; the service has ${id} in its place, so they were merged`
  const against = veto ?? (nameVerdict === 'disagree' ? 'its name differs' : null)
  if (against === null) {
    return {
      outcome: 'matched',
      rule: instead === undefined ? 'given-id' : 'given-id-merged',
      reason: `${said}.`,
    }
  }
  return {
    outcome: 'review',
    rule: 'given-id-contradicted',
    reason: `Perhaps ${id} ${label ?? '(no label)'}: ${said}, but ${against}.`,
  }
}
