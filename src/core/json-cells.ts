export type JsonCells =
  { readonly cells: Readonly<Record<string, string>> } | { readonly fault: string }

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/**
 * The cells of one JSONL line. Text stays as it is, a number keeps its digits (`1.0`, `5E1`, twenty digits), null is
 * blank, a list of such values is joined with `|`, anything deeper is its JSON.
 */
export function jsonCells(line: string): JsonCells {
  const value = parse(line)
  if (value instanceof SyntaxError) return { fault: `is not JSON: ${value.message}` }
  if (!isObject(value)) return { fault: `is ${kindOf(value)}, expected an object: {"name": …}` }
  const spelt = hasNumber(value) ? parse(numbersAsText(line)) : value
  const entries = Object.entries(isObject(spelt) ? spelt : value).map(
    ([key, cell]) => [key, cellText(cell, value[key])] as const,
  )
  return { cells: Object.fromEntries(entries) }
}

/** @param original the same value with its numbers as numbers */
function cellText(value: unknown, original: unknown): string {
  if (Array.isArray(value) && value.every((part) => part === null || typeof part !== 'object')) {
    return value.map((part) => scalarText(part)).join('|')
  }
  return value !== null && typeof value === 'object' ? JSON.stringify(original) : scalarText(value)
}

function scalarText(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}

function numbersAsText(line: string): string {
  return line.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`))
}

function hasNumber(value: Readonly<Record<string, unknown>>): boolean {
  return Object.values(value).some(
    (cell) =>
      typeof cell === 'number' ||
      (Array.isArray(cell) && cell.some((part) => typeof part === 'number')),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
