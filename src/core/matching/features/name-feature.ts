import type { EntityKind } from '../../project-settings.ts'
import { isCommonMeaning } from '../../names/word-lexicon.ts'
import { wordOverlap } from '../../names/word-overlap.ts'
import type { Candidate } from '../candidate.ts'
import type { Verdict } from '../decision.ts'
import type { FeatureLevel } from './feature-level.ts'
import { ownPlaces } from './own-places.ts'
import { personLevels, personLikeness } from './person-likeness.ts'
import { isAddress, naturalForms, prepareName, type PreparedName } from './record-names.ts'
import { titleLevel, titleLevels } from './title-likeness.ts'

/** Features by which services report that any label or alias agrees, 0 to 100. */
const ALIAS_FEATURES = new Set(['all_labels', 'name'])
const SERVICE_AGREES = 98
const AGREEING = new Set(['equal', 'letters', 'legal', 'meaning', 'translation', 'words'])
const FAR = new Set([
  'different',
  'some',
  'partial',
  'other-field',
  'contains',
  'within',
  'place-only',
])
// Within one level: a main name before a variant, a label before an alias. A part that is equal is as good as a whole
// that agrees but for a place.
const ROLE_RANK = {
  main: 0,
  variant: 0.2,
  segment: titleLevels.indexOf('with-place') + 0.5,
} as const
const ALIAS_RANK = 0.1
/** Services list the best-known names first. */
const MOST_NAMES = 30
const MOST_MATCHED_WORDS = 4
const ALL_OF_IT = 0.97

interface NamePair {
  readonly level: string
  readonly rank: number
  readonly name: PreparedName
  readonly other: PreparedName
  readonly otherGeneration: boolean
}

/** The best agreement between any name of the record and any name of the candidate. */
export function nameFeature(
  names: readonly PreparedName[],
  candidate: Candidate,
  kind: EntityKind,
): FeatureLevel {
  let best: NamePair | undefined
  let byLabel: NamePair | undefined
  const isOwnPlace = ownPlaces(candidate)
  for (const other of candidateNames(candidate, kind)) {
    // Of the aliases none can be better than what agrees so well.
    if (best !== undefined && other.role !== 'main' && best.rank <= ALIAS_RANK) break
    for (const name of names) {
      if (best !== undefined && best.rank <= leastRank(name, other)) continue
      const pair = compare(name, other, kind, isOwnPlace)
      if (best === undefined || pair.rank < best.rank) best = pair
    }
    if (other.role === 'main') byLabel = best
  }
  const main = names[0]
  if (main === undefined) {
    return {
      feature: 'name',
      verdict: 'unknown',
      keys: [],
      record: '',
      candidate: '',
      how: 'no name',
    }
  }
  const byService = agreesByService(candidate)
  if (byService && (best === undefined || !AGREEING.has(best.level))) {
    return {
      feature: 'name',
      verdict: 'agree',
      keys: ['name.equal', 'alias'],
      record: main.text,
      candidate: candidate.name ?? '',
      how: 'an alias, says the service',
    }
  }
  if (best === undefined) {
    return {
      feature: 'name',
      verdict: 'disagree',
      keys: ['name.different'],
      record: main.text,
      candidate: '',
      how: 'no name',
    }
  }
  return evidence(best, main, isAddress(names), byLabel, kind)
}

function evidence(
  best: NamePair,
  main: PreparedName,
  address: boolean,
  byLabel: NamePair | undefined,
  kind: EntityKind,
): FeatureLevel {
  const { level, name, other, otherGeneration } = best
  const family = name.role === 'segment' || (address && level !== 'equal') ? 'segment' : 'name'
  const matched = family === 'segment' ? matchedWords(main, other) : 0
  const notes = [
    level,
    ...(name.role === 'main' ? [] : [name.role === 'segment' ? 'a part of the name' : 'variant']),
    ...(other.role === 'main' ? [] : ['alias']),
    ...(otherGeneration ? ['another generation'] : []),
  ]
  return {
    feature: 'name',
    verdict: otherGeneration ? 'disagree' : verdictOf(level),
    keys: [
      `${family}.${level}`,
      ...(other.role === 'main' ? [] : ['alias']),
      // What only an alias has in part, and the label not at all, is a former name or a part of the body.
      ...(other.role !== 'main' && !AGREEING.has(level) && FAR.has(byLabel?.level ?? 'different')
        ? ['alias-only']
        : []),
      ...(kind !== 'person' && other.known.meanings.every(isCommonMeaning) ? ['common-words'] : []),
      ...(name.role === 'variant' ? ['variant'] : []),
      ...(matched > 0 ? [`matched.${matched}`] : []),
      ...(otherGeneration ? ['generation'] : []),
    ],
    record: name.text,
    candidate: other.text,
    how: notes.join(', '),
  }
}

function verdictOf(level: string): Verdict {
  return AGREEING.has(level) ? 'agree' : level === 'different' ? 'disagree' : 'partly'
}

function compare(
  name: PreparedName,
  other: PreparedName,
  kind: EntityKind,
  isOwnPlace: (word: string) => boolean,
): NamePair {
  const roles = leastRank(name, other)
  if (kind === 'person') {
    const { level, otherGeneration } = personLikeness(name, other)
    return { level, rank: personLevels.indexOf(level) + roles, name, other, otherGeneration }
  }
  const level = titleLevel(name, other, isOwnPlace)
  return { level, rank: titleLevels.indexOf(level) + roles, name, other, otherGeneration: false }
}

/** Of an equal pair. */
function leastRank(name: PreparedName, other: PreparedName): number {
  return ROLE_RANK[name.role] + (other.role === 'main' ? 0 : ALIAS_RANK)
}

/** Label first; what a label says in brackets is often left out (`Boeing (United States)`). */
function* candidateNames(candidate: Candidate, kind: EntityKind): Generator<PreparedName> {
  for (const [position, text] of candidate.names.slice(0, MOST_NAMES).entries()) {
    const role = position === 0 && candidate.name !== null ? 'main' : 'variant'
    yield prepareName(text, role)
    for (const form of naturalForms(text, kind)) yield prepareName(form, role)
  }
}

/** How many telling words of the whole text a candidate wholly within it accounts for. */
function matchedWords(main: PreparedName, other: PreparedName): number {
  const { right, weight } = wordOverlap(main.known.meanings, other.known.meanings)
  return right < ALL_OF_IT ? 0 : Math.min(MOST_MATCHED_WORDS, Math.floor(weight))
}

function agreesByService({ features }: Candidate): boolean {
  return features.some(({ id, value }) => ALIAS_FEATURES.has(id) && Number(value) >= SERVICE_AGREES)
}
