/** Values of options of a start, for commander. */
import { InvalidArgumentError } from 'commander'
import { pickedStatuses, type PickedStatus } from '../../core/run.ts'
import { parseAge } from './answer-age.ts'

export function pickStatuses(
  text: string,
  before: readonly PickedStatus[] = [],
): readonly PickedStatus[] {
  const picked = text.split(',').map((part) => {
    const status = pickedStatuses.find((one) => one === part.trim())
    if (status !== undefined) return status
    throw new InvalidArgumentError(`expected some of: ${pickedStatuses.join(', ')}`)
  })
  // In one order: two starts that pick the same are the same run.
  return pickedStatuses.filter((status) => before.includes(status) || picked.includes(status))
}

export function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number above 0')
}

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number')
}

export function age(text: string): number {
  const ms = parseAge(text)
  if (ms !== undefined) return ms
  throw new InvalidArgumentError('expected a number and a unit of s, m, h, d or w, such as 90d')
}

/** @returns ms */
export function hours(text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0 && value <= 8760) return value * 3_600_000
  throw new InvalidArgumentError('expected hours, above 0, up to 8760')
}
