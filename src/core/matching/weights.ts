/**
 * Points of each feature, in bits: +1 doubles the odds that a candidate is the right one, −1 halves them. The numbers
 * stand in a data file of their own, one table per kind of entity; they are estimated from labelled records
 * (`weights fit`) with the tables of `hand-set-weights` as their prior. The version is written with every decision, so
 * a change of any number needs a new version.
 */
import type { EntityKind } from '../project-settings.ts'
import { fittedWeights } from './fitted-weights.ts'
import { handSetWeights } from './hand-set-weights.ts'

export interface KindWeights {
  /** Odds of a candidate before anything was compared, in bits. */
  readonly prior: number
  /** By `feature.level`; a level that is not there weighs nothing. */
  readonly bits: Readonly<Record<string, number>>
}

/** What labelled records taught; a kind or level that is not there keeps its weight set by hand. */
export interface FittedWeights {
  readonly version: string
  readonly kinds: Readonly<Partial<Record<EntityKind, KindWeights>>>
}

export const WEIGHTS_VERSION = fittedWeights.version

const weights: Readonly<Record<EntityKind, KindWeights>> = {
  person: shipped('person'),
  organisation: shipped('organisation'),
  place: shipped('place'),
  work: shipped('work'),
  generic: shipped('generic'),
}

/** The shipped weights of a kind of entity. */
export function weightsOf(kind: EntityKind): KindWeights {
  return weights[kind]
}

function shipped(kind: EntityKind): KindWeights {
  const believed = handSetWeights[kind]
  const learned = fittedWeights.kinds[kind]
  if (learned === undefined) return believed
  return { prior: learned.prior, bits: { ...believed.bits, ...learned.bits } }
}
