import type { Candidate, CandidateList } from './candidate.ts'
import type { Decision, DecisionEvidence, Outcome, ScoredCandidate } from './decision.ts'
import { isTooLong, LONGEST_NAME_CHARACTERS } from './lookups.ts'
import type { MappedRecord } from './mapped-record.ts'
import { scoreCandidates } from './score.ts'
import { weights } from './weights.ts'
import type { DecisionThresholds } from '../project-settings.ts'

/** The evidence keeps so many candidates; a person never looks at more. */
const KEPT_CANDIDATES = 5

/**
 * Concludes from the answers that are there. Automatic needs a high score, a lead, no veto and a list that was not cut
 * off among equals; anything less is for a person.
 * @param lists one per name asked, in the order of the names; may be empty
 */
export function decide(
  record: MappedRecord,
  lists: readonly CandidateList[],
  thresholds: DecisionThresholds,
): Decision {
  const scored = scoreCandidates(record, mergeCandidates(lists))
  const truncated = lists.some((list) => isCutAmongEquals(list, scored))
  const evidence: DecisionEvidence = {
    asked: record.names,
    candidates: scored.slice(0, KEPT_CANDIDATES),
    candidatesTotal: scored.length,
    truncated,
  }
  const [best, runnerUp] = scored
  const conclude = (outcome: Outcome, rule: string, reason: string): Decision => ({
    outcome,
    rule,
    reason,
    best: best ?? null,
    runnerUp: runnerUp ?? null,
    margin: best === undefined ? null : lead(best, runnerUp),
    evidence,
  })

  if (record.names.length === 0) {
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
  if (best.score < thresholds.review && !agreesInName(best)) {
    return conclude(
      'no_candidate',
      'all-too-weak',
      `The best of ${scored.length} scores ${best.score}, below ${thresholds.review}.`,
    )
  }
  const doubt = doubtAbout(best, runnerUp, truncated, thresholds)
  if (doubt !== null) {
    // Whoever reviews reads the reason first, so it names the candidate.
    const named = `${best.id} ${best.label ?? '(no label)'}`
    return conclude('review', doubt.rule, `Perhaps ${named}: ${doubt.reason}`)
  }
  return conclude('matched', 'score-and-lead', `Scores ${best.score}, ${leadText(best, runnerUp)}.`)
}

function doubtAbout(
  best: ScoredCandidate,
  runnerUp: ScoredCandidate | undefined,
  truncated: boolean,
  thresholds: DecisionThresholds,
): { readonly rule: string; readonly reason: string } | null {
  if (best.veto !== null) return { rule: 'veto', reason: `${best.veto}, which is never automatic.` }
  if (best.score < thresholds.match) {
    return { rule: 'score-too-low', reason: `scores ${best.score}, below ${thresholds.match}.` }
  }
  if (nameWeight(best) < weights.name.almostEqual + weights.variant) {
    return { rule: 'name-not-equal', reason: 'the name is only similar, which is never automatic.' }
  }
  if (runnerUp !== undefined && lead(best, runnerUp) < thresholds.lead) {
    return {
      rule: 'lead-too-small',
      reason: `only ${lead(best, runnerUp)} ahead of ${runnerUp.id}; ${thresholds.lead} are needed.`,
    }
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

function agreesInName({ features }: ScoredCandidate): boolean {
  return features.some(({ feature, verdict }) => feature === 'name' && verdict === 'agree')
}

function nameWeight({ features }: ScoredCandidate): number {
  return features.find(({ feature }) => feature === 'name')?.weight ?? 0
}

/** The same entity found under several names is one candidate with all its names. */
function mergeCandidates(lists: readonly CandidateList[]): readonly Candidate[] {
  const byId = new Map<string, Candidate>()
  for (const candidate of lists.flatMap((list) => list.candidates)) {
    const seen = byId.get(candidate.id)
    byId.set(candidate.id, seen === undefined ? candidate : merged(seen, candidate))
  }
  return [...byId.values()]
}

function merged(first: Candidate, second: Candidate): Candidate {
  return {
    ...first,
    names: [...new Set([...first.names, ...second.names])],
    description: first.description ?? second.description,
    features: [...first.features, ...second.features].sort(
      (a, b) => Number(b.value) - Number(a.value),
    ),
  }
}

function lead(best: ScoredCandidate, runnerUp: ScoredCandidate | undefined): number {
  return Math.round((best.score - (runnerUp?.score ?? 0)) * 10) / 10
}

function leadText(best: ScoredCandidate, runnerUp: ScoredCandidate | undefined): string {
  return runnerUp === undefined
    ? 'the only candidate'
    : `${lead(best, runnerUp)} ahead of ${runnerUp.id}`
}
