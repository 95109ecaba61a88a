import type { HeldValue } from '../matching/candidate.ts'
import type { ItemFacts } from './item-facts.ts'
import { shownPids } from './item-needs.ts'

/** Another picture does not make another item of it. */
const SHOWN: ReadonlySet<string> = new Set(shownPids)

/**
 * Whether an item is another than it was: merged, gone, renamed, described anew, with other values. Languages and
 * properties that only one of the two was asked for do not count.
 */
export function isChanged(before: ItemFacts, after: ItemFacts): boolean {
  return shownAs(before, after) !== shownAs(after, before)
}

/** What is known of an item, as far as it is known of `other`. */
function shownAs(facts: ItemFacts, other: ItemFacts): string {
  if (facts.id === null || other.id === null) return String(facts.id)
  const languages = facts.heldLanguages
    .filter((one) => other.heldLanguages.includes(one))
    .toSorted()
  const pids = facts.heldPids
    .filter((one) => other.heldPids.includes(one) && !SHOWN.has(one))
    .toSorted()
  // Of an item that only its names were wanted of, aliases and descriptions were not asked for.
  const isWhole = facts.heldPids.length > 0 && other.heldPids.length > 0
  return JSON.stringify([
    facts.id,
    languages.map((language) => [
      own(facts.labels, language),
      ...(isWhole
        ? [own(facts.descriptions, language), own(facts.aliases, language)?.toSorted()]
        : []),
    ]),
    pids.map((pid) => own(facts.properties, pid)?.map(valueText).toSorted() ?? []),
  ])
}

function valueText(value: HeldValue): string {
  return typeof value === 'string' ? value : value.id
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
