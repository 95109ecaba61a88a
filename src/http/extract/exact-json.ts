import { parseTolerantJson } from '../tolerant-json.ts'

/** Outside strings: whole numbers that may be beyond 2^53, where a JavaScript number has no digits of its own. */
const STRING_OR_LONG_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g

/**
 * JSON as sources send it: whole numbers that would lose digits become text with all of them, and no string breaks
 * Postgres.
 * @throws SyntaxError, RangeError as `parseTolerantJson`.
 */
export function parseExactJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return parseTolerantJson(text)
  return parseTolerantJson(
    text.replace(STRING_OR_LONG_NUMBER, (token) =>
      token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
    ),
  )
}
