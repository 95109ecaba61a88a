import type { Verdict } from '../decision.ts'
import type { DateValue } from './date-value.ts'

/** Keys of the weights, best first. `year` and better agree; `other-day` and `far` are contradictions. */
export const dateLevels = ['day', 'year', 'same-year', 'near', 'close', 'other-day', 'far'] as const
export type DateLevel = (typeof dateLevels)[number]

const NEAR_YEARS = 1
/** The older a date, the more it is an estimate: years apart that sources differ by, from this year on. */
const CLOSE_YEARS = [
  { from: 1800, years: 5 },
  { from: 1600, years: 10 },
  { from: -Infinity, years: 20 },
] as const

/**
 * Compares at the precision both have. `1877` and `1877-07-09` agree in part; two days of one year contradict each
 * other; a year apart is often a matter of sources.
 */
export function compareDates(one: DateValue, other: DateValue): DateLevel {
  const years = Math.abs(one.year - other.year)
  if (years > closeYears(Math.min(one.year, other.year))) return 'far'
  if (years > NEAR_YEARS) return 'close'
  if (years > 0) return 'near'
  const months = [one.month, other.month]
  const days = [one.day, other.day]
  if (months[0] !== undefined && months[1] !== undefined && months[0] !== months[1])
    return 'other-day'
  if (days[0] !== undefined && days[1] !== undefined)
    return days[0] === days[1] ? 'day' : 'other-day'
  return months[0] === months[1] && days[0] === days[1] ? 'year' : 'same-year'
}

function closeYears(year: number): number {
  return CLOSE_YEARS.find(({ from }) => year >= from)?.years ?? 0
}

export function verdictOfDates(level: DateLevel): Verdict {
  if (level === 'day' || level === 'year') return 'agree'
  return level === 'far' || level === 'other-day' ? 'disagree' : 'partly'
}

/** The best level of any pair. Neither list may be empty. */
export function bestDateLevel(record: readonly DateValue[], held: readonly DateValue[]): DateLevel {
  let best = dateLevels.length - 1
  for (const one of record) {
    for (const other of held) {
      best = Math.min(best, dateLevels.indexOf(compareDates(one, other)))
    }
  }
  return dateLevels[best] ?? 'far'
}
