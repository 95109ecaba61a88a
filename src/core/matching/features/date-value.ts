/** A date as far as it is known. Years before the common era are negative. */
export interface DateValue {
  readonly year: number
  /** 1 to 12; undefined where only the year is known. */
  readonly month: number | undefined
  readonly day: number | undefined
}

export type DateOrder = 'dmy' | 'mdy' | 'ymd'

const ISO = /^\+?(-?\d{4,})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:T[\d:.]+Z?)?$/
const DAY_FIRST_OR_MONTH_FIRST = /^(\d{1,2})[-/. ]+(\d{1,2})[-/. ]+(-?\d{4})$/
const YEAR_IN_WORDS = /^(?:(?:c|ca|circa|about|um|vers|born|b|d|died)\.?\s*)?(\d{4})\s*\??$/i

/**
 * Reads ISO dates (`1877`, `1877-07`, `1877-07-09`, Wikidata's `+1877-00-00T00:00:00Z`), numeric dates in the given
 * order and a year with "about". @returns null for anything else: an unread date is unknown, never wrong.
 */
export function readDate(text: string, order: DateOrder = 'dmy'): DateValue | null {
  const trimmed = text.trim()
  const iso = ISO.exec(trimmed)
  if (iso !== null) return dateOf(iso[1], iso[2], iso[3])
  const numeric = DAY_FIRST_OR_MONTH_FIRST.exec(trimmed)
  if (numeric !== null) {
    const [, first, second, year] = numeric
    return order === 'mdy' ? dateOf(year, first, second) : dateOf(year, second, first)
  }
  const words = YEAR_IN_WORDS.exec(trimmed)
  return words === null ? null : dateOf(words[1], undefined, undefined)
}

function dateOf(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): DateValue | null {
  const known = {
    year: Number(year),
    month: partOf(month, 12),
    day: partOf(day, 31),
  }
  if (!Number.isFinite(known.year) || known.year === 0) return null
  return known.month === undefined ? { ...known, day: undefined } : known
}

/** Month and day 00 mean "not known". */
function partOf(text: string | undefined, most: number): number | undefined {
  const part = Number(text ?? 0)
  return part >= 1 && part <= most ? part : undefined
}
