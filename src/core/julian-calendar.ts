const MS_PER_DAY = 86_400_000
/** Of 1 January 1970 (Gregorian), since the first of March of year 0 (Julian). */
const DAYS_BEFORE_1970 = 719_470

/**
 * The day of the Gregorian calendar that a day of the Julian one is: `1643-01-04` for 25 December 1642.
 * @param year as astronomers count: 0 is 1 BCE
 * @param month 1 to 12
 * @param day 1 to 31
 * @returns year, month and day of the Gregorian calendar, counted alike
 */
export function gregorianDay(
  year: number,
  month: number,
  day: number,
): readonly [year: number, month: number, day: number] {
  // Years from March: the leap day is their last.
  const marchYear = month > 2 ? year : year - 1
  const sinceMarch = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const days = 365 * marchYear + Math.floor(marchYear / 4) + sinceMarch - DAYS_BEFORE_1970
  const date = new Date(days * MS_PER_DAY)
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
}
