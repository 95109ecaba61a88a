/**
 * Reads names as library catalogues file them: `Boudin, Eugène, 1824-1898, artist`. The family name stands first, then
 * given names, titles and suffixes, dates, roles (AACR2, RDA; MARC fields 100 and 700 with their subfield marks).
 */
import { readHeadingDates } from './heading-dates.ts'

export interface LibraryHeading {
  /** In natural order, with a suffix such as `Jr.` or `II` at the end: `Eugène Boudin`. */
  readonly name: string
  /** With given names in full: `Herbert George Wells` for `Wells, H. G. (Herbert George)`. */
  readonly fullName: string | undefined
  /** Years as text; undefined where the heading has none. */
  readonly born: string | undefined
  readonly died: string | undefined
  /** What it says beyond name and dates: `artist`. */
  readonly roles: readonly string[]
}

const SUFFIX =
  /^(?:jr|sr|junior|senior|the (?:elder|younger)|[ivx]{1,4}|der (?:ältere|jüngere)|l[’']a[iî]né|le jeune|fils|père|filho|neto)\.?$/i
const TITLE =
  /^(?:sir|dame|lord|lady|saint|pope|king|queen|emperor|empress|tsar|sultan|prince|princess|(?:grand |arch)?duke|(?:grand |arch)?duchess|count|countess|baron|baroness|earl|marquis|marquess|marchioness|viscount|viscountess|(?:arch)?bishop|cardinal|rev|reverend|dr|prof|professor|mrs?|ms|miss|mme|abbé|graf|gräfin|freiherr|ritter|herzog|herzogin|könig|königin|kaiser|papst|comte|comtesse|conde|duc|duchesse|roi|reine|pape|santo?|santa)\b\.?/i
/** They stand before a name that is only a given one: `Saint Augustine`, `Pope John Paul II`. */
const LEADING_TITLE =
  /^(?:saint|pope|papst|pape|santo?|santa|king|queen|emperor|empress|prince|princess|sultan)$/i
/** `Prince Paolo`, where the given name follows; not `King of France`. */
const TITLE_AND_NAME = /^\p{L}+\.? (?!(?:of|de|du|des|von|van|di|da|in|and|und)\b)\p{Lu}/u
/** Said of somebody without a given name they would be taken for one. */
const ROLE =
  /^(?:artist|painter|draughtsman|draftsman|author|writer|poet|novelist|playwright|photographer|sculptor|engraver|etcher|printmaker|architect|designer|composer|musician|singer|conductor|editor|translator|illustrator|publisher|printer|collector|creator|contributor|former owner|donor|director|actor|actress|historian|philosopher|scientist|cartographer|compiler|interviewer|interviewee|ed|ill|tr|comp|joint author|peintre|sculpteur|graveur|auteur|écrivain|traducteur|Maler|Malerin|Bildhauer|Verfasser|Autor|Herausgeber|Künstler|Künstlerin|kunstenaar|schilder)\.?$/i
const IN_BRACKETS = /\s*\(([^()]*)\)/g
/** `‡a`, and `$a` or `|a` where the text has several of them. */
const SUBFIELD = /\s*[‡ǂ]\s*([a-z0-9])\s*/g
const TYPED_SUBFIELD = /(?:^|\s*)[$|]([abcdejqu047])\s*(?=[\p{L}\d(])/gu
const MOST_PARTS = 8

/** @returns null for a name without a comma, or one that leaves no name before or after it. */
export function readLibraryHeading(text: string): LibraryHeading | null {
  const parts = withoutSubfields(text)
    .split(/[,،，]/u)
    .flatMap(datesApart)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const [family = '', ...rest] = parts
  if (rest.length === 0 || parts.length > MOST_PARTS) return null
  const suffixes: string[] = []
  const titles: string[] = []
  const roles: string[] = []
  let given: string | undefined
  let born: string | undefined
  let died: string | undefined
  let isDated = false
  for (const part of rest) {
    const dates = readHeadingDates(part)
    if (SUFFIX.test(part)) suffixes.push(part)
    else if (dates !== null) {
      isDated = true
      born ??= dates.born
      died ??= dates.died
    } else if (ROLE.test(part)) roles.push(part.replace(/\.$/, ''))
    else if (TITLE.test(part) && (given !== undefined || !TITLE_AND_NAME.test(part)))
      titles.push(part)
    else if (given === undefined && !isDated && !/\d/.test(part)) given = part
    else roles.push(part.replace(/\.$/, ''))
  }
  if (given === undefined && suffixes.length + titles.length + roles.length === 0 && !isDated) {
    return null
  }
  const leading =
    given === undefined ? titles.find((title) => LEADING_TITLE.test(title)) : undefined
  const inOrder = (first: string | undefined) =>
    [leading, ...(isWhole(first, family) ? [first] : [first, family]), ...suffixes]
      .filter(Boolean)
      .join(' ')
  const short = given?.replace(IN_BRACKETS, '')
  const full = fullGiven(given)
  return {
    name: inOrder(short),
    fullName: full === undefined ? undefined : inOrder(full),
    born,
    died,
    roles,
  }
}

/** `Byron, George Gordon Byron, Baron`: the given part has the family name already. */
function isWhole(given: string | undefined, family: string): boolean {
  return given !== undefined && given.toLowerCase().endsWith(` ${family.toLowerCase()}`)
}

/** `Herbert George` for `H. G. (Herbert George)`; undefined where nothing is written out. */
function fullGiven(given: string | undefined): string | undefined {
  const [, inner] = /\(([^()]*)\)/.exec(given ?? '') ?? []
  return inner === undefined || /\d/.test(inner) || inner.trim() === '' ? undefined : inner.trim()
}

/** `Boudin, Eugène (1824-1898)` has its dates in brackets. */
function datesApart(part: string): readonly string[] {
  const [whole, inner = ''] = /\s*\(([^()]*\d[^()]*)\)\s*$/.exec(part) ?? []
  return whole === undefined ? [part] : [part.slice(0, -whole.length), inner]
}

/** Marks of MARC subfields become commas; a full stop before one is its punctuation. */
function withoutSubfields(text: string): string {
  if (/[‡ǂ]/.test(text)) return text.replace(SUBFIELD, asComma).replace(/\.\s*$/, '')
  const typed = text.match(TYPED_SUBFIELD)?.length ?? 0
  return typed < 2 ? text : text.replace(TYPED_SUBFIELD, asComma).replace(/\.\s*$/, '')
}

/** A fuller name and a numeral belong to what stands before them. */
function asComma(_: string, code: string): string {
  return code === 'q' || code === 'b' ? ' ' : ', '
}
