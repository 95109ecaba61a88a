/**
 * Candidates as Wikidata's searches name them, by id alone, with what is known of their items: names, classes, values.
 * So a search is asked once, whatever a project later wants to know of what it found.
 *
 * An answer whose items are not all known is none: it counts as missing, or as failed where one could not be asked for.
 * Only an item that is known not to be there is left out; one that was merged comes under its new id.
 */
import type {
  Candidate,
  CandidateFeature,
  CandidateList,
  HeldValue,
} from '../matching/candidate.ts'
import type { SubjectAnswer } from '../matching/judge-subject.ts'
import { isWikidataId } from '../matching/wikidata-id.ts'
import { isBelow } from './class-tree.ts'
import {
  descriptionOf,
  type ItemFacts,
  labelOf,
  labelsOf,
  namesOf,
  valueIds,
} from './item-facts.ts'
import { INSTANCE_OF, type ItemNeeds } from './item-needs.ts'
import type { ItemShelf, ShelvedItem } from './item-shelf.ts'

export interface Dresser {
  readonly shelf: ItemShelf
  readonly needs: ItemNeeds
}

/** @param types asked for by this record; none asks for any */
export function dressAnswer(
  answer: SubjectAnswer,
  types: readonly string[],
  { shelf, needs }: Dresser,
): SubjectAnswer {
  const { list } = answer
  if (list === null) return answer
  const dressed: Candidate[] = []
  const gone: string[] = []
  for (const found of list.candidates) {
    const item = shelf.candidates.get(found.id)
    if (item?.status !== 'known') return withoutList(answer, item)
    const { facts } = item
    if (facts.id === null) {
      gone.push(found.id)
      continue
    }
    const obstacle = obstacleOf(facts, types, { shelf, needs })
    if (obstacle !== null) return withoutList(answer, obstacle)
    dressed.push(dressCandidate(found, facts.id, facts, types, { shelf, needs }))
  }
  return {
    ...answer,
    list: { ...list, candidates: mergeById(dressed), ...(gone.length === 0 ? {} : { gone }) },
  }
}

type Unknown = { readonly status: 'missing' } | Extract<ShelvedItem, { status: 'failed' }>

function withoutList(answer: SubjectAnswer, item: Unknown | undefined): SubjectAnswer {
  if (item?.status !== 'failed') return { ...answer, status: 'missing', list: null }
  const { code, message } = item
  return { ...answer, status: 'failed', list: null, errorCode: code, errorMessage: message }
}

/** What is not known of the items a candidate names. */
function obstacleOf(
  facts: ItemFacts,
  types: readonly string[],
  { shelf, needs }: Dresser,
): Unknown | null {
  for (const pid of needs.namedPids) {
    for (const id of valueIds(facts, pid).filter(isWikidataId)) {
      const item = shelf.named.get(id)
      if (item?.status !== 'known') return item ?? { status: 'missing' }
    }
  }
  if (types.length === 0) return null
  const verdict = isBelow(valueIds(facts, INSTANCE_OF), types, shelf.classes)
  return verdict.status === 'known' ? null : verdict
}

function dressCandidate(
  found: Candidate,
  id: string,
  facts: ItemFacts,
  types: readonly string[],
  { shelf, needs }: Dresser,
): Candidate {
  const { languages, pids } = needs.candidates
  const labels = (valueId: string): readonly (string | undefined)[] => {
    const item = shelf.named.get(valueId)
    const known = item?.status === 'known' ? labelsOf(item.facts, languages) : []
    return known.length === 0 ? [undefined] : known
  }
  // Once under each of its names: records may call a country otherwise than the language they are in.
  const named = (value: HeldValue): readonly HeldValue[] =>
    typeof value === 'string' ? [value] : labels(value.id).map((name) => ({ id: value.id, name }))
  const properties = pids.flatMap((pid): [string, readonly HeldValue[]][] => {
    const values = Object.hasOwn(facts.properties, pid) ? (facts.properties[pid] ?? []) : []
    return values.length === 0 ? [] : [[pid, values.flatMap(named)]]
  })
  return {
    id,
    name: labelOf(facts, languages),
    names: [...new Set([...namesOf(facts, languages), ...found.names])],
    description: descriptionOf(facts, languages),
    types: valueIds(facts, INSTANCE_OF).map((type) => ({ id: type, name: labels(type)[0] })),
    serviceScore: null,
    serviceMatch: false,
    features: typeFeatures(facts, types, shelf),
    properties: Object.fromEntries(properties),
    ...(found.id === id ? {} : { foundAs: [found.id] }),
  }
}

/** Nothing is said of an item whose class nobody stated. */
function typeFeatures(
  facts: ItemFacts,
  types: readonly string[],
  { classes }: ItemShelf,
): readonly CandidateFeature[] {
  const own = valueIds(facts, INSTANCE_OF)
  if (types.length === 0 || own.length === 0) return []
  const verdict = isBelow(own, types, classes)
  return verdict.status === 'known' ? [{ id: 'type', value: verdict.isBelow }] : []
}

/** The same item found under two ids is one candidate, at the better place. */
function mergeById(candidates: readonly Candidate[]): CandidateList['candidates'] {
  const byId = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const seen = byId.get(candidate.id)
    if (seen === undefined) byId.set(candidate.id, candidate)
    else byId.set(candidate.id, bothFound(seen, candidate))
  }
  return [...byId.values()]
}

function bothFound(seen: Candidate, again: Candidate): Candidate {
  const foundAs = [...(seen.foundAs ?? []), ...(again.foundAs ?? [])]
  return {
    ...seen,
    names: [...new Set([...seen.names, ...again.names])],
    ...(foundAs.length === 0 ? {} : { foundAs }),
  }
}
