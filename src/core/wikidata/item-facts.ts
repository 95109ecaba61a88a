/** What we know of an item of Wikidata, and whether that is enough. */
import type { HeldValue } from '../matching/candidate.ts'

export interface WantedFacts {
  /** Languages of names, best first. */
  readonly languages: readonly string[]
  /** Properties whose statements are wanted; with none only names are. */
  readonly pids: readonly string[]
}

type Texts = Readonly<Record<string, string>>

export interface ItemFacts {
  readonly askedId: string
  /**
   * Differs from `askedId` where that one was merged away. null: deleted, never there, or a redirect to a redirect; the
   * API does not tell them apart.
   */
  readonly id: string | null
  /** By language. */
  readonly labels: Texts
  readonly aliases: Readonly<Record<string, readonly string[]>>
  readonly descriptions: Texts
  /** Values of the wanted properties, of the best rank; unknown and absent values are no values. */
  readonly properties: Readonly<Record<string, readonly HeldValue[]>>
  readonly revision: number | null
  /** Pages of Wikipedia and its sisters that are linked to it; null: it was not asked for them. */
  readonly sitelinks: number | null
  /** The languages and properties that were asked for: what is not above although it is here, the item has not. */
  readonly heldLanguages: readonly string[]
  readonly heldPids: readonly string[]
}

/** "Default for all languages": where what is the same in all of them is kept once (research reconciliation §2.9). */
const ALL_LANGUAGES = 'mul'
const LAST_LANGUAGE = 'en'

/** Languages to ask for, best first: the wanted ones, `mul`, English. */
export function askedLanguages(languages: readonly string[]): readonly string[] {
  return [...new Set([...languages, ALL_LANGUAGES, LAST_LANGUAGE])]
}

/** True when nothing has to be fetched to know what is wanted of an item. */
export function holds(
  { id, heldLanguages, heldPids }: ItemFacts,
  { languages, pids }: WantedFacts,
): boolean {
  if (id === null) return true
  return (
    askedLanguages(languages).every((language) => heldLanguages.includes(language)) &&
    pids.every((pid) => heldPids.includes(pid))
  )
}

/** Its label in the best of the languages that has one; null: none has. */
export function labelOf({ labels }: ItemFacts, languages: readonly string[]): string | null {
  return textIn(labels, languages)
}

/** All its labels in these languages, best first, each once. */
export function labelsOf({ labels }: ItemFacts, languages: readonly string[]): readonly string[] {
  return [...new Set(askedLanguages(languages).flatMap((language) => own(labels, language) ?? []))]
}

export function descriptionOf(facts: ItemFacts, languages: readonly string[]): string | null {
  return textIn(facts.descriptions, languages)
}

/** All its names in these languages, labels first, each once. */
export function namesOf(facts: ItemFacts, languages: readonly string[]): readonly string[] {
  const asked = askedLanguages(languages)
  return [
    ...new Set([
      ...labelsOf(facts, languages),
      ...asked.flatMap((language) => own(facts.aliases, language) ?? []),
    ]),
  ]
}

/** Ids of the items that are values of a property. */
export function valueIds({ properties }: ItemFacts, pid: string): readonly string[] {
  const values = own(properties, pid) ?? []
  return values.flatMap((value) => (typeof value === 'string' ? [] : [value.id]))
}

function textIn(texts: Texts, languages: readonly string[]): string | null {
  return askedLanguages(languages).flatMap((language) => own(texts, language) ?? [])[0] ?? null
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
