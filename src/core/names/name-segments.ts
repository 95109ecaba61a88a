/** The parts of a raw affiliation or address line: `Dept. of Physics, Univ. of Dundee, Dundee, UK`. */
const SEPARATORS =
  /[,;|•]|\s[-–—/]\s|\s*\(\s*|\s*\)\s*|\n|\.\s+(?=[A-Z])|\s(?:and|und|et)\s(?=(?:the\s)?[A-ZÀ-Þ])/u
const ELECTRONIC = /\S+@\S+|https?:\S+|\be-?mails?:?/giu
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}.]+$/gu
const LABELLED = /^(?:\d{1,2}|[a-z]|\W)\s+(?=\p{Lu})/u
const SHORTEST = 3
const MOST_SEGMENTS = 12

/** In order, without blanks and repeats; empty for a text of one part. */
export function nameSegments(text: string): readonly string[] {
  const parts = text
    .replace(ELECTRONIC, ' ')
    .replace(/#TAB#/g, ' ')
    .split(SEPARATORS)
    .map((part) => part.replace(EDGES, '').replace(LABELLED, '').trim())
    .filter((part) => part.length >= SHORTEST && /\p{L}{2}/u.test(part))
  const distinct = [...new Set(parts)].slice(0, MOST_SEGMENTS)
  return distinct.length === 1 && distinct[0] === text ? [] : distinct
}
