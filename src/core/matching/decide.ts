import type { CandidateList } from './candidate.ts'
import type { Decision, Outcome, ScoredCandidate } from './decision.ts'
import { concludeVerified } from './given-item.ts'
import { LONGEST_NAME_CHARACTERS } from './lookups.ts'
import type { MappedRecord } from './mapped-record.ts'
import { agreesInName, nameVerdict, sharesIdentifier } from './name-verdict.ts'
import { weigh, type WeighedRecord, type WeighSettings } from './weigh.ts'
import type { DecisionThresholds } from '../project-settings.ts'

export interface DecisionSettings extends WeighSettings {
  readonly thresholds: DecisionThresholds
}

/**
 * Concludes from the answers that are there. Automatic needs a high score, a lead, no veto and a list that was not cut
 * off among equals; anything less is for a person.
 * @param answers one per question, in the order of `lookupsOf`; null for one without an answer; may be empty
 */
export function decide(
  record: MappedRecord,
  answers: readonly (CandidateList | null)[],
  settings: DecisionSettings,
): Decision {
  return conclude(weigh(record, answers, settings), settings.thresholds)
}

/** The part of `decide` that thresholds have a say in. */
export function conclude(weighed: WeighedRecord, thresholds: DecisionThresholds): Decision {
  const { givenItem, verified, byIdentifier, isNameless, best, runnerUp, anyRight } = weighed
  const { evidence } = weighed
  const say = (outcome: Outcome, rule: string, reason: string): Decision => ({
    outcome,
    rule,
    reason,
    best: best ?? null,
    runnerUp: runnerUp ?? null,
    margin: best === undefined ? null : lead(best, runnerUp),
    evidence,
  })

  if (verified !== undefined) {
    const { item, how } = verified
    const { outcome, rule, reason } = concludeVerified(item, how, nameVerdict(item))
    return say(outcome, rule, reason)
  }
  if (givenItem !== undefined) {
    const isWorthALook = best !== undefined && (anyRight >= thresholds.review || agreesInName(best))
    const unknown = `The service knows no item ${givenItem}, which is given`
    return isWorthALook
      ? say('review', 'unknown-id', `${unknown}; by its name perhaps ${nameOf(best)}.`)
      : say('no_candidate', 'unknown-id', `${unknown}.`)
  }
  // That nothing has its identifiers is the whole story only where there is no name that was too long to be asked for.
  if (byIdentifier !== null && (byIdentifier.outcome !== 'no_candidate' || isNameless)) {
    return say(byIdentifier.outcome, byIdentifier.rule, byIdentifier.reason)
  }
  if (isNameless) {
    return say('skipped', 'empty-name', 'The record has no name.')
  }
  if (weighed.isTooLong) {
    return say(
      'skipped',
      'name-too-long',
      `Name too long: no label has more than ${LONGEST_NAME_CHARACTERS} characters.`,
    )
  }
  if (best === undefined) {
    return say('no_candidate', 'nothing-found', 'The service knows no such name.')
  }
  // An equal name is always worth a look, whatever speaks against it.
  if (anyRight < thresholds.review && !agreesInName(best)) {
    return say(
      'no_candidate',
      'all-too-weak',
      evidence.candidatesTotal === 1
        ? `The only candidate scores ${anyRight}, below ${thresholds.review}.`
        : `The ${evidence.candidatesTotal} candidates together score ${anyRight}, below ${thresholds.review}.`,
    )
  }
  const doubt = doubtAbout(best, runnerUp, evidence.truncated, thresholds)
  if (doubt !== null) {
    // Whoever reviews reads the reason first, so it names the candidate.
    return say('review', doubt.rule, `Perhaps ${nameOf(best)}: ${doubt.reason}`)
  }
  if (sharesIdentifier(best)) {
    return say('matched', 'same-identifier', `Has the same identifier, scores ${best.score}.`)
  }
  return say('matched', 'score-and-lead', `Scores ${best.score}, ${leadText(best, runnerUp)}.`)
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
  if (runnerUp !== undefined && ahead < thresholds.lead) {
    return {
      rule: 'lead-too-small',
      reason: `scores ${best.score}, only ${ahead} ahead of ${runnerUp.id}.`,
    }
  }
  // Two candidates that share what there is to share leave little for each.
  if (runnerUp !== undefined && isHeldBack(best, runnerUp, thresholds)) {
    return {
      rule: 'lead-too-small',
      reason: `scores ${best.score}, below ${thresholds.match}; ${runnerUp.id} beside it scores ${runnerUp.score}.`,
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

/** It would score high enough if the second were not there. */
function isHeldBack(
  best: ScoredCandidate,
  runnerUp: ScoredCandidate,
  thresholds: DecisionThresholds,
): boolean {
  return best.score < thresholds.match && best.score + runnerUp.score >= thresholds.match
}

function lead(best: ScoredCandidate, runnerUp: ScoredCandidate | undefined): number {
  return Math.round((best.score - (runnerUp?.score ?? 0)) * 10) / 10
}

function leadText(best: ScoredCandidate, runnerUp: ScoredCandidate | undefined): string {
  return runnerUp === undefined
    ? 'the only candidate'
    : `${lead(best, runnerUp)} ahead of ${runnerUp.id}`
}
