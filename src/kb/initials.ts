// "of", "the", "und", "de la": often left out of an acronym, and sometimes not.
const LONGEST_SMALL_WORD = 3
const SHORTEST_ACRONYM = 3
const LONGEST_ACRONYM = 10

/** The acronyms a name may go by: initials of all words, and of the longer ones. In: words; out: none, one or two. */
export function initialsOf(tokens: readonly string[]): readonly string[] {
  const all = firstLetters(tokens)
  const longer = firstLetters(tokens.filter((token) => token.length > LONGEST_SMALL_WORD))
  return [...new Set([all, longer])].filter(couldBeAcronym)
}

function couldBeAcronym(text: string): boolean {
  return text.length >= SHORTEST_ACRONYM && text.length <= LONGEST_ACRONYM
}

function firstLetters(tokens: readonly string[]): string {
  return tokens.map((token) => String.fromCodePoint(token.codePointAt(0) ?? 0)).join('')
}
