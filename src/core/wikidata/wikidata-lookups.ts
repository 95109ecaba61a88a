/**
 * What Wikidata is asked about a record, in the order in which it is asked; all but the first only while the record is
 * undecided:
 *
 *   the item that is given, by its id ─▶ identifiers sent along (`haswbstatement`)
 *     ─▶ each name by label, in each language ─▶ names as words, anywhere
 *
 * The two searches for names find different things: "USA" is an alias and found by label only, "Lovelace, Ada" by words
 * only (research reconciliation §2.1). To look an id up needs no search: its item is fetched with those of other records.
 */
import { identifierForms } from '../identifiers/plain-identifier.ts'
import type { LookupQuery } from '../matching/lookup-query.ts'
import type { MappedRecord } from '../matching/mapped-record.ts'
import type { ProjectSettings } from '../project-settings.ts'
import { plainWords, type StatedIdentifier, statementSearch } from './search-words.ts'

/** Whatever the number of names and languages; more never helped, and each is a request of a small budget. */
const MOST_LABEL_SEARCHES = 8
const MOST_WORD_SEARCHES = 3

/** @param names what to ask for, best first; none too long for a label */
export function wikidataLookups(
  names: readonly string[],
  record: MappedRecord,
  { languages, limit }: ProjectSettings,
): readonly LookupQuery[] {
  const asked = { types: [], properties: [], limit }
  const { givenItem } = record
  const identifiers = statementSearch(sentIdentifiers(record))
  const byLabel = names
    .map(oneLine)
    .flatMap((query) =>
      languages.map((language) => ({ ...asked, search: 'label', query, language }) as const),
    )
  return [
    ...(givenItem === undefined
      ? []
      : [{ ...asked, limit: 1, search: 'id', query: givenItem } as const]),
    ...(identifiers === null ? [] : [{ ...asked, search: 'text', query: identifiers } as const]),
    ...byLabel.slice(0, MOST_LABEL_SEARCHES),
    ...distinctWords(names)
      .slice(0, MOST_WORD_SEARCHES)
      .map((query) => ({ ...asked, search: 'text', query }) as const),
  ]
}

/** Only what the mapping lets leave the machine. */
function sentIdentifiers({ properties }: MappedRecord): readonly StatedIdentifier[] {
  return properties
    .filter(({ kind, use }) => kind === 'id' && use === 'send')
    .flatMap(({ pid, values }) =>
      values.flatMap((value) => identifierForms(pid, value)).map((value) => ({ pid, value })),
    )
}

/** Names with the same words in another order find the same. */
function distinctWords(names: readonly string[]): readonly string[] {
  const byWords = new Map<string, string>()
  for (const words of names.map(plainWords)) {
    const key = words.toLowerCase().split(' ').sort().join(' ')
    if (words !== '' && !byWords.has(key)) byWords.set(key, words)
  }
  return [...byWords.values()]
}

/** Labels have no line breaks. */
function oneLine(name: string): string {
  return name.replace(/\s+/gu, ' ')
}
