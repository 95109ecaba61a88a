/** The suggest services of API 0.2: items, types and properties by the beginning of a name. */
import { knownPropertyIds, namedBy, propertyNames } from '../core/known-properties.ts'
import type { KbIndex } from './kb-index.ts'

export interface Suggestion {
  readonly id: string
  readonly name: string
  readonly description?: string
  /** Types, of items only. */
  readonly notable?: readonly string[]
}

const PAGE = 20
const MOST_SEARCHED = 100

/** @param skip the first so many are left out */
export function suggestItems(index: KbIndex, prefix: string, skip: number): readonly Suggestion[] {
  const byId = index.positionOf(prefix.trim())
  const positions = new Set([
    ...(byId === undefined ? [] : [byId]),
    ...index.names
      .search(prefix, () => true)
      .toSorted((a, b) => b.score - a.score || a.item - b.item)
      .slice(0, MOST_SEARCHED)
      .map(({ item }) => item),
  ])
  return [...positions]
    .slice(skip, skip + PAGE)
    .flatMap((position) => index.items[position] ?? [])
    .map(({ qid, label, description, types }) => ({
      id: qid,
      name: label,
      ...(description === undefined ? {} : { description }),
      notable: types,
    }))
}

/** Types that items of the file have, most used first among equals. */
export function suggestTypes(index: KbIndex, prefix: string, skip: number): readonly Suggestion[] {
  const types = index.types.used.map(({ id }) => ({ id, called: namesOf(index, id) }))
  return ranked(types, prefix).slice(skip, skip + PAGE)
}

/** Properties that items of the file state, by the file's own label or the well-known names; other well-known last. */
export function suggestProperties(
  index: KbIndex,
  prefix: string,
  skip: number,
): readonly Suggestion[] {
  const ids = [...new Set([...index.values.used, ...knownPropertyIds])]
  const properties = ids.map((id) => ({
    id,
    called: [...namesOf(index, id), ...propertyNames(id)],
  }))
  return ranked(properties, prefix).slice(skip, skip + PAGE)
}

function ranked(
  things: readonly { readonly id: string; readonly called: readonly string[] }[],
  prefix: string,
): readonly Suggestion[] {
  return things
    .map(({ id, called }) => ({
      id,
      name: called[0] ?? id,
      likeness: id.toLowerCase() === prefix.trim().toLowerCase() ? 5 : namedBy(prefix, called),
    }))
    .filter(({ likeness }) => likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness)
    .map(({ id, name }) => ({ id, name }))
}

/** Label and aliases of the file's own row for a type or property. */
function namesOf(index: KbIndex, id: string): readonly string[] {
  const item = index.items[index.positionOf(id) ?? -1]
  return item === undefined ? [] : [item.label, ...item.aliases]
}
