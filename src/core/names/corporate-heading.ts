/**
 * Corporate headings name a body under the one it belongs to: `United States. Department of State`. Asked for is also
 * the body alone, as most labels have it; what is compared stays the whole.
 */
const PARTS = /\.\s+(?=\p{Lu})/u
/** `Univ.`, `St.`, `J.`: a full stop that ends no name. */
const ABBREVIATION = /(?:^|[\s.])(?:\p{L}{1,3}|univ|dept|inst|assoc|natl|intl|prof|corp)$/iu
const MOST_PARTS = 4
const SHORTEST_PART_WORDS = 2

/** @returns the last body of the heading; empty for a name that is none. */
export function subordinateBody(name: string): readonly string[] {
  const parts = name.replace(/\.\s*$/, '').split(PARTS)
  const last = parts.at(-1) ?? ''
  if (parts.length < 2 || parts.length > MOST_PARTS || /[,;\d]/.test(name)) return []
  if (parts.slice(0, -1).some((part) => ABBREVIATION.test(part))) return []
  return last.split(/\s+/).length < SHORTEST_PART_WORDS ? [] : [last]
}
