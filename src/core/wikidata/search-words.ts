/**
 * Texts for `list=search`.
 * @see https://www.mediawiki.org/wiki/Help:CirrusSearch
 * @see https://www.mediawiki.org/wiki/Help:Extension:WikibaseCirrusSearch
 */

/** The search refuses longer texts with `cirrussearch-query-too-long`. */
const LONGEST_TEXT_CHARACTERS = 300
/** Stand for "or", a qualifier and "anything" in the value of a statement, also in quotes. */
const STATEMENT_OPERATORS = /[|[\]"\\*]/

/**
 * A name as plain words: whatever the search could take for an operator (quotes, `:`, `-x`, `!`, `*`, `?`, `~`, `\`,
 * `/…/`, OR, AND, NOT) becomes a space or lower case.
 * @returns blank when nothing is left to look for
 */
export function plainWords(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{M}\p{N}'’.&-]+/gu, ' ')
    .split(' ')
    .map((word) => word.replace(/^[-.'’&]+|[-'’&]+$/gu, ''))
    .filter((word) => word !== '')
    .map((word) => (/^(?:AND|OR|NOT)$/.test(word) ? word.toLowerCase() : word))
  return cut(words.join(' '))
}

/** An identifier as it stands in a statement. */
export interface StatedIdentifier {
  /** `P214` */
  readonly pid: string
  readonly value: string
}

/**
 * A search for the items that have one of these identifiers, exactly: `haswbstatement:"P214=1|P227=2"`.
 * @param identifiers those that do not fit into one search are left out, from the end
 * @returns null when there is none that can be asked for
 */
export function statementSearch(identifiers: readonly StatedIdentifier[]): string | null {
  let search: string | null = null
  const asked: string[] = []
  for (const { pid, value } of identifiers) {
    if (!/^P[1-9]\d*$/.test(pid) || value === '' || STATEMENT_OPERATORS.test(value)) continue
    const longer = `haswbstatement:"${[...asked, `${pid}=${value}`].join('|')}"`
    if (Array.from(longer).length > LONGEST_TEXT_CHARACTERS) continue
    search = longer
    asked.push(`${pid}=${value}`)
  }
  return search
}

function cut(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= LONGEST_TEXT_CHARACTERS) return text
  const whole = characters.slice(0, LONGEST_TEXT_CHARACTERS).join('')
  return whole.slice(0, whole.lastIndexOf(' '))
}
