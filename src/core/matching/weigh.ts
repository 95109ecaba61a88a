/** What is known about a record before any threshold is asked: its scored candidates, and what the rules go by. */
import type { CandidateList } from './candidate.ts'
import { concludeByIdentifier, type IdentifierConclusion } from './by-identifier.ts'
import type { DecisionEvidence, ScoredCandidate } from './decision.ts'
import { type VerifiedItem, verifiedList, verifyItem } from './given-item.ts'
import { askedIdentifiers, isTooLong } from './lookups.ts'
import type { MappedRecord } from './mapped-record.ts'
import { mergeCandidates } from './merge-candidates.ts'
import { agreesInName } from './name-verdict.ts'
import { scoreCandidates } from './score.ts'
import { type KindWeights, weightsOf } from './weights.ts'
import type { EntityKind } from '../project-settings.ts'

/** The evidence keeps so many candidates; a person never looks at more. */
const KEPT_CANDIDATES = 5

export interface WeighSettings {
  readonly kind: EntityKind
  /** Absent: the shipped weights of the kind. */
  readonly weights?: KindWeights | undefined
}

export interface WeighedRecord {
  /** Named by the record itself. */
  readonly givenItem: string | undefined
  /** The service has it; absent: it does not, or none is given. */
  readonly verified: { readonly item: ScoredCandidate; readonly how: VerifiedItem } | undefined
  /** Of a record that was asked for by its identifiers. */
  readonly byIdentifier: IdentifierConclusion | null
  readonly isNameless: boolean
  /** No name of it was asked for. */
  readonly isTooLong: boolean
  readonly best: ScoredCandidate | undefined
  readonly runnerUp: ScoredCandidate | undefined
  /** Score of all candidates together, 0 to 100. */
  readonly anyRight: number
  readonly evidence: DecisionEvidence
}

/**
 * @param answers one per question, in the order of `lookupsOf`; null for one without an answer; may be empty
 */
export function weigh(
  record: MappedRecord,
  answers: readonly (CandidateList | null)[],
  { kind, weights = weightsOf(kind) }: WeighSettings,
): WeighedRecord {
  const { givenItem } = record
  const [first, ...others] = answers
  const verified = givenItem && first ? verifyItem(givenItem, first) : undefined
  const ofItem = verified && first ? [verifiedList(first, verified)] : []
  const lists = [...ofItem, ...(givenItem === undefined ? answers : others)].filter(
    (list) => list !== null && list !== undefined,
  )
  const isNameless = record.names.length === 0
  // An identifier that no service can be asked for has found nothing.
  const isByIdentifier = givenItem === undefined && answers.length > 0
  const identifiers = isByIdentifier ? askedIdentifiers(record) : []
  const candidates = mergeCandidates(lists)
  const { candidates: scored, anyRight } = scoreCandidates(
    { ...record, givenItem: verified?.id },
    candidates,
    kind,
    weights,
  )
  const truncated = lists.some((list) => isCutAmongEquals(list, scored))
  const gone = [...new Set(lists.flatMap((list) => list.gone ?? []))]
  const evidence: DecisionEvidence = {
    asked:
      givenItem === undefined ? [...record.names, ...identifiers] : [givenItem, ...record.names],
    candidates: scored.slice(0, KEPT_CANDIDATES),
    candidatesTotal: scored.length,
    truncated,
    ...(gone.length === 0 ? {} : { gone }),
  }
  const item = scored.find(({ id }) => id === verified?.id)
  const sureId = candidates.find(({ serviceMatch }) => serviceMatch)?.id
  const byIdentifier = identifiers.length === 0 ? null : concludeByIdentifier(scored, sureId)
  const known = item ?? byIdentifier?.candidate
  const [best, runnerUp] =
    known === undefined ? scored : [known, scored.find((one) => one !== known)]
  return {
    givenItem,
    verified: item && verified ? { item, how: verified } : undefined,
    byIdentifier,
    isNameless,
    isTooLong: record.names.every(isTooLong),
    best,
    runnerUp,
    anyRight,
    evidence,
  }
}

/**
 * Services list their best first, so a list that ends in a weaker name hides only weaker ones; one that is still among
 * agreeing names when it is cut off may hide the right one.
 */
function isCutAmongEquals(list: CandidateList, scored: readonly ScoredCandidate[]): boolean {
  const last = list.candidates.at(-1)
  if (!list.truncated || last === undefined) return false
  const scoredLast = scored.find((candidate) => candidate.id === last.id)
  return scoredLast !== undefined && agreesInName(scoredLast)
}
