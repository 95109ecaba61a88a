import { isJsonObject, type JsonObject } from '../tolerant-json.ts'

/** True for a service's description of itself, wanted or in place of an answer. */
export function looksLikeManifest(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const has = (key: string): boolean => Object.hasOwn(value, key)
  return (
    has('identifierSpace') ||
    has('schemaSpace') ||
    has('versions') ||
    (has('name') && (has('view') || has('defaultTypes')))
  )
}
