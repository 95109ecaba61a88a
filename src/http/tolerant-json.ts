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
  const value = parsed(text)
  if (value !== NOT_JSON) return value
  const outsideStrings = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g
  const again = /NaN|Infinity/.test(text)
    ? parsed(text.replace(outsideStrings, (part) => (part[0] === '"' ? part : 'null')))
    : NOT_JSON
  // The message of JSON.parse quotes the text, which may repeat what we asked.
  if (again === NOT_JSON) throw new SyntaxError('The text is not JSON.')
  return again
}

const NOT_JSON = Symbol('not JSON')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return NOT_JSON
    throw error
  }
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [cleanText(key), cleaned(v)]))
}
