import type { FeatureLevel } from './features/feature-level.ts'

/** Why a candidate is less likely than its own name says; null: it is not. */
export type Behind = 'behind' | 'behind-label' | null

const PARTLY = 0
const WHOLLY = 1
const BY_LABEL = 2

/**
 * A better name explains why a lesser one was found too: `Samoa` beside `American Samoa` (`behind`), an alias beside an
 * equal label (`behind-label`). Only a candidate that nothing speaks against explains others away.
 * @returns one for each candidate
 */
export function explainedAway(candidates: readonly (readonly FeatureLevel[])[]): readonly Behind[] {
  const agreements = candidates.map(agreementOf)
  const best = candidates.reduce((most, levels, position) => {
    const isContradicted = levels.some(({ verdict }) => verdict === 'disagree')
    return isContradicted ? most : Math.max(most, agreements[position] ?? PARTLY)
  }, PARTLY)
  return agreements.map((agreement) => {
    if (agreement >= best) return null
    return agreement === PARTLY ? 'behind' : 'behind-label'
  })
}

function agreementOf(levels: readonly FeatureLevel[]): number {
  const name = levels.find(({ feature }) => feature === 'name')
  if (name?.verdict !== 'agree') return PARTLY
  const isLabel = name.keys.includes('name.equal') && !name.keys.includes('alias')
  return isLabel ? BY_LABEL : WHOLLY
}
