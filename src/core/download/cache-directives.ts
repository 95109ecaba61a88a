/**
 * Cache-Control and Expires as RFC 9111 reads them, written so that a lenient reader cannot misread them. What is
 * malformed is left out, and where it would have said how long something is fresh, it is not (4.2.1).
 */

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const DIRECTIVE = new RegExp(`^\\s*(${TOKEN})(?:=("(?:[^"\\\\]|\\\\.)*"|${TOKEN}))?\\s*$`)
/** Between commas that are not in a quoted text. */
const PART = /(?:"(?:[^"\\]|\\.)*"|[^,"])+|"/g

const FLAGS: ReadonlySet<string> = new Set([
  'immutable',
  'must-revalidate',
  'no-cache',
  'no-store',
  'private',
  'proxy-revalidate',
  'public',
])
const SECONDS: ReadonlySet<string> = new Set([
  'max-age',
  's-maxage',
  'stale-if-error',
  'stale-while-revalidate',
])

/** RFC 9110, 5.6.7; names of days and months in any case, for some servers write them so. */
const HTTP_DATE = /^[a-z]{3}, \d{2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/i

export function plainDirectives(text: string): string {
  const found = new Map<string, string>()
  for (const part of text.match(PART) ?? []) {
    const [, anyCase = '', argument = ''] = DIRECTIVE.exec(part) ?? []
    const name = anyCase.toLowerCase()
    if (FLAGS.has(name)) found.set(name, name)
    if (!SECONDS.has(name)) continue
    const seconds = secondsOf(argument)
    // Of several the shortest: none of them can be relied on.
    const known = found.get(name)?.split('=')[1]
    const least = known === undefined ? seconds : Math.min(seconds, Number(known))
    found.set(name, `${name}=${least}`)
  }
  return [...found.values()].join(', ')
}

/** An `Expires` that is no date means the past. */
export function plainExpires(text: string): string {
  return HTTP_DATE.test(text.trim()) ? text.trim() : '0'
}

function secondsOf(argument: string): number {
  const digits = argument.replace(/^"(.*)"$/, '$1')
  return /^\d{1,15}$/.test(digits) ? Number(digits) : 0
}
