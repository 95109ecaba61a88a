import type { CandidateList } from './candidate.ts'
import type { Decision, DecisionEvidence, Outcome, ScoredCandidate, Verdict } from './decision.ts'
import { concludeByIdentifier } from './by-identifier.ts'
import { concludeVerified, verifiedList, verifyItem } from './given-item.ts'
import { askedIdentifiers, isTooLong, LONGEST_NAME_CHARACTERS } from './lookups.ts'
import type { MappedRecord } from './mapped-record.ts'
import { mergeCandidates } from './merge-candidates.ts'
import { scoreCandidates } from './score.ts'
import { type KindWeights, weightsOf } from './weights.ts'
import type { DecisionThresholds, EntityKind } from '../project-settings.ts'

/** The evidence keeps so many candidates; a person never looks at more. */
const KEPT_CANDIDATES = 5

export interface DecisionSettings {
  readonly kind: EntityKind
  readonly thresholds: DecisionThresholds
  /** Absent: the shipped weights of the kind. */
  readonly weights?: KindWeights | undefined
}

/**
 * Concludes from the answers that are there. Automatic needs a high score, a lead, no veto and a list that was not cut
 * off among equals; anything less is for a person.
 * @param lists one per question, in the order of `lookupsOf`; null for one without an answer; may be empty
 */
export function decide(
  record: MappedRecord,
  answers: readonly (CandidateList | null)[],
  { kind, thresholds, weights = weightsOf(kind) }: DecisionSettings,
): Decision {
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
  const conclude = (outcome: Outcome, rule: string, reason: string): Decision => ({
    outcome,
    rule,
    reason,
    best: best ?? null,
    runnerUp: runnerUp ?? null,
    margin: best === undefined ? null : lead(best, runnerUp),
    evidence,
  })

  if (item !== undefined && verified !== undefined) {
    const { outcome, rule, reason } = concludeVerified(item, verified, nameVerdict(item))
    return conclude(outcome, rule, reason)
  }
  if (givenItem !== undefined) {
    const isWorthALook = best !== undefined && (anyRight >= thresholds.review || agreesInName(best))
    const unknown = `The service knows no item ${givenItem}, which is given`
    return isWorthALook
      ? conclude('review', 'unknown-id', `${unknown}; by its name perhaps ${nameOf(best)}.`)
      : conclude('no_candidate', 'unknown-id', `${unknown}.`)
  }
  // That nothing has its identifiers is the whole story only where there is no name that was too long to be asked for.
  if (byIdentifier !== null && (byIdentifier.outcome !== 'no_candidate' || isNameless)) {
    return conclude(byIdentifier.outcome, byIdentifier.rule, byIdentifier.reason)
  }
  if (isNameless) {
    return conclude('skipped', 'empty-name', 'The record has no name.')
  }
  if (record.names.every(isTooLong)) {
    return conclude(
      'skipped',
      'name-too-long',
      `Name too long: no label has more than ${LONGEST_NAME_CHARACTERS} characters.`,
    )
  }
  if (best === undefined) {
    return conclude('no_candidate', 'nothing-found', 'The service knows no such name.')
  }
  // An equal name is always worth a look, whatever speaks against it.
  if (anyRight < thresholds.review && !agreesInName(best)) {
    return conclude(
      'no_candidate',
      'all-too-weak',
      `The ${scored.length} candidates together score ${anyRight}, below ${thresholds.review}.`,
    )
  }
  const doubt = doubtAbout(best, runnerUp, truncated, thresholds)
  if (doubt !== null) {
    // Whoever reviews reads the reason first, so it names the candidate.
    return conclude('review', doubt.rule, `Perhaps ${nameOf(best)}: ${doubt.reason}`)
  }
  if (sharesIdentifier(best)) {
    return conclude('matched', 'same-identifier', `Has the same identifier, scores ${best.score}.`)
  }
  return conclude('matched', 'score-and-lead', `Scores ${best.score}, ${leadText(best, runnerUp)}.`)
}

function nameOf({ id, label }: ScoredCandidate): string {
  return `${id} ${label ?? '(no label)'}`
}

function doubtAbout(
  best: ScoredCandidate,
  runnerUp: ScoredCandidate | undefined,
  truncated: boolean,
  thresholds: DecisionThresholds,
): { readonly rule: string; readonly reason: string } | null {
  if (best.veto !== null) return { rule: 'veto', reason: `${best.veto}, which is never automatic.` }
  // An identifier that two candidates share decides nothing.
  if (sharesIdentifier(best) && (runnerUp === undefined || !sharesIdentifier(runnerUp))) return null
  const ahead = lead(best, runnerUp)
  // Two candidates that share what there is to share leave little for each.
  if (
    runnerUp !== undefined &&
    (ahead < thresholds.lead || isHeldBack(best, runnerUp, thresholds))
  ) {
    return {
      rule: 'lead-too-small',
      reason: `scores ${best.score}, only ${ahead} ahead of ${runnerUp.id}.`,
    }
  }
  if (best.score < thresholds.match) {
    return { rule: 'score-too-low', reason: `scores ${best.score}, below ${thresholds.match}.` }
  }
  if (nameVerdict(best) === 'disagree') {
    return { rule: 'name-differs', reason: 'the name differs, which is never automatic.' }
  }
  if (truncated) {
    return { rule: 'list-cut-off', reason: 'the list was cut off among equal names.' }
  }
  return null
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

/** It would score high enough if the second were not there. */
function isHeldBack(
  best: ScoredCandidate,
  runnerUp: ScoredCandidate,
  thresholds: DecisionThresholds,
): boolean {
  return best.score < thresholds.match && best.score + runnerUp.score >= thresholds.match
}

function agreesInName(candidate: ScoredCandidate): boolean {
  return nameVerdict(candidate) === 'agree'
}

function nameVerdict({ features }: ScoredCandidate): Verdict {
  return features.find(({ feature }) => feature === 'name')?.verdict ?? 'unknown'
}

function sharesIdentifier({ features }: ScoredCandidate): boolean {
  return features.some(({ how }) => how === 'id.agree')
}

function lead(best: ScoredCandidate, runnerUp: ScoredCandidate | undefined): number {
  return Math.round((best.score - (runnerUp?.score ?? 0)) * 10) / 10
}

function leadText(best: ScoredCandidate, runnerUp: ScoredCandidate | undefined): string {
  return runnerUp === undefined
    ? 'the only candidate'
    : `${lead(best, runnerUp)} ahead of ${runnerUp.id}`
}
