import { canonicalText } from '../canonical-text.ts'

/**
 * The fields in which two versions of an item differ, in the order of the later one, those that are gone last. An object
 * whose keys only come in another order is the same.
 */
export function changedFields(before: string, after: string): readonly string[] {
  const [then, now] = [fieldsOf(before), fieldsOf(after)]
  const names = new Set([...now.keys(), ...then.keys()])
  return [...names].filter((name) => then.get(name) !== now.get(name))
}

/** Text of each field of a JSON object. */
function fieldsOf(body: string): ReadonlyMap<string, string> {
  const item: unknown = JSON.parse(body)
  if (item === null || typeof item !== 'object') return new Map()
  return new Map(Object.entries(item).map(([name, value]) => [name, canonicalText(value)]))
}
