/** JSON as services send it: `NaN` as Python writes it is null, and no string breaks Postgres. */
import { cleanText } from './clean-text.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/**
 * @throws SyntaxError for anything that is not JSON; RangeError for nesting too deep to copy.
 */
export function parseTolerantJson(text: string): unknown {
  const value = parse(text)
  return /\\u(?:0000|d[89a-f])/i.test(text) ? cleaned(value) : value
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own field, so that a key such as `__proto__` is nothing but a key. */
export function field(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error
    const outsideStrings = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g
    return JSON.parse(text.replace(outsideStrings, (part) => (part[0] === '"' ? part : 'null')))
  }
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [cleanText(key), cleaned(v)]))
}
