/** What JSON has at a place such as `data.owner.name`; the empty place is all of it. undefined: nothing. */
export function valueAt(json: unknown, place: string): unknown {
  if (place === '') return json
  let at = json
  for (const key of place.split('.')) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined
    at = at[key]
  }
  return at
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object'
}

/** An id, or a cursor: text or a number, never empty. undefined: it is neither. */
export function nameAt(json: unknown, place: string): string | undefined {
  const value = valueAt(json, place)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
