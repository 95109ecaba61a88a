/**
 * Dates in library headings, by the rules of AACR2 and RDA: `1824-1898`, `ca. 1440-1482?`, `b. 1950`, `-1898`,
 * `1950 Apr. 3-`, `384-322 B.C.`, `active 1850-1870`, `fl. 16th cent.` Years as text that `readDate` reads: four digits
 * at least, with a minus before the common era.
 */
export interface HeadingDates {
  readonly born: string | undefined
  readonly died: string | undefined
}

const ABOUT = /^(?:ca?|circa|approximately|approx|about|ungefähr|um|vers|v|env)\.?(?=[\s\d])\s*/i
const BORN = /^(?:b|born|geb|né|née|\*)\.?(?=[\s\d])\s*/i
const DIED = /^(?:d|died|gest|mort|morte|†)\.?(?=[\s\d])\s*/i
const ACTIVE = /^(?:fl|flourished|active|wirksam|tätig|actif|active in)\.?(?=[\s\d])\s*/i
const CENTURY =
  /\d{1,2}(?:st|nd|rd|th|\.|e|ème)? ?(?:cent(?:ury|\.)?|jh\.?|jahrhundert|siècle|s\.)/i
const BEFORE_OUR_ERA = /\s*(?:B\.? ?C\.?(?: ?E\.?)?|v\. ?Chr\.?|av\. ?J\.?-?C\.?)$/i
const OUR_ERA = /\s*(?:A\.? ?D\.?|C\.? ?E\.?|n\. ?Chr\.?)$/i
/** A year, perhaps one of two, in doubt or with a day: `1824?`, `1824 or 1825`, `1824/25`, `1950 Apr. 3`. */
const YEAR = /^(\d{1,4})\??(?:(?: or |\/)\d{1,4}\??)?(?:[ ,]+\p{L}{3,9}\.?(?: \d{1,2})?)?$/u
const BETWEEN = /\s*[-–—]\s*/

/** @returns null for a text that is no date; dates of activity are dates that say nothing of birth or death. */
export function readHeadingDates(text: string): HeadingDates | null {
  const bare = text.replace(/^\(|\)$/g, '').trim()
  if (!/\d/.test(bare)) return null
  const nothing = { born: undefined, died: undefined }
  if (ACTIVE.test(bare) || CENTURY.test(bare)) return nothing
  if (BORN.test(bare)) return oneYear(bare.replace(BORN, ''), 'born')
  if (DIED.test(bare)) return oneYear(bare.replace(DIED, ''), 'died')
  const [first = '', second, ...rest] = bare.split(BETWEEN)
  if (second === undefined || rest.length > 0) return null
  const end = readYear(second)
  // `384-322 B.C.`: the era stands once, at the end.
  const start = readYear(first, end !== undefined && end < 0)
  if (first !== '' && start === undefined) return null
  if (second !== '' && second !== '.' && end === undefined) return null
  if (start === undefined && end === undefined) return null
  return { born: yearText(start), died: yearText(end) }
}

function oneYear(text: string, which: 'born' | 'died'): HeadingDates | null {
  const year = yearText(readYear(text))
  if (year === undefined) return null
  return which === 'born' ? { born: year, died: undefined } : { born: undefined, died: year }
}

/** Negative before the common era. */
function readYear(text: string, isBefore = false): number | undefined {
  const era = text.trim().replace(/(?<=\d)\.$/, '')
  const digits = era.replace(BEFORE_OUR_ERA, '').replace(OUR_ERA, '').replace(ABOUT, '')
  const year = YEAR.exec(digits)?.[1]
  if (year === undefined) return undefined
  return isBefore || BEFORE_OUR_ERA.test(era) ? -Number(year) : Number(year)
}

function yearText(year: number | undefined): string | undefined {
  if (year === undefined || year === 0) return undefined
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`
}
