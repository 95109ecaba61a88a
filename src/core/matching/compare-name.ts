import type { Candidate } from './candidate.ts'
import type { FeatureEvidence } from './decision.ts'
import { agreeingForm, type NameForms, nameForms } from './normalize-name.ts'
import { levenshteinRatio, tokenSetRatio, tokenSortRatio } from './similarity.ts'
import { weights } from './weights.ts'

/** A record's name with its forms, computed once per record. */
export interface PreparedName {
  readonly text: string
  readonly forms: NameForms
}

export function prepareNames(names: readonly string[]): readonly PreparedName[] {
  return names.map((text) => ({ text, forms: nameForms(text) }))
}

// Features by which services report that any label or alias agrees, 0 to 100.
const ALIAS_FEATURES = new Set(['all_labels', 'name'])
const ALMOST_EQUAL = 0.9
const SIMILAR = 0.75

/** The best agreement between any name of the record and any name of the candidate. */
export function compareName(
  names: readonly PreparedName[],
  candidate: Candidate,
  candidateNames: readonly PreparedName[],
): FeatureEvidence {
  let best: FeatureEvidence | undefined
  for (const [position, name] of names.entries()) {
    for (const other of candidateNames) {
      const { points, how } = agreement(name.forms, other.forms)
      const weight = points + (position === 0 ? 0 : weights.variant)
      if (best === undefined || weight > best.weight) {
        best = evidence(weight, name.text, other.text, position === 0 ? how : `variant, ${how}`)
      }
    }
  }
  const byAlias = aliasEvidence(names, candidate)
  if (byAlias !== undefined && (best === undefined || byAlias.weight > best.weight)) return byAlias
  return best ?? evidence(weights.name.different, names[0]?.text ?? '', '', 'no name')
}

function agreement(
  left: NameForms,
  right: NameForms,
): { readonly points: number; readonly how: string } {
  const form = agreeingForm(left, right)
  if (form === 'd') return { points: weights.name.equalWithoutLegalForm, how: 'form D' }
  if (form !== null) return { points: weights.name.equal, how: `form ${form.toUpperCase()}` }
  const alike = Math.max(
    levenshteinRatio(left.c, right.c),
    levenshteinRatio(left.d, right.d),
    tokenSortRatio(left.tokens, right.tokens),
  )
  const percent = `${Math.round(alike * 100)} % alike`
  if (alike >= ALMOST_EQUAL) return { points: weights.name.almostEqual, how: percent }
  if (tokenSetRatio(left.tokens, right.tokens) === 1) {
    return { points: weights.name.contained, how: 'words contained' }
  }
  if (alike >= SIMILAR) return { points: weights.name.similar, how: percent }
  return { points: weights.name.different, how: percent }
}

function aliasEvidence(
  names: readonly PreparedName[],
  candidate: Candidate,
): FeatureEvidence | undefined {
  const reported = candidate.features.find((feature) => ALIAS_FEATURES.has(feature.id))
  if (reported === undefined || Number(reported.value) < 100) return undefined
  return evidence(weights.name.alias, names[0]?.text ?? '', candidate.name ?? '', 'alias')
}

function evidence(weight: number, record: string, candidate: string, how: string): FeatureEvidence {
  const verdict =
    weight >= weights.name.alias + weights.variant ? 'agree' : weight > 0 ? 'partly' : 'disagree'
  return { feature: 'name', verdict, weight, record, candidate, how }
}
