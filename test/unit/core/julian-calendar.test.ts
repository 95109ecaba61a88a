import { expect, it } from 'vitest'
import { gregorianDay } from '../../../src/core/julian-calendar.ts'

it.each([
  [1582, 10, 5, [1582, 10, 15]],
  [1642, 12, 25, [1643, 1, 4]],
  [1700, 2, 29, [1700, 3, 11]],
  [1917, 10, 25, [1917, 11, 7]],
  [4, 3, 1, [4, 2, 28]],
])('%i-%i-%i of the Julian calendar is %j', (year, month, day, gregorian) => {
  expect(gregorianDay(year, month, day)).toEqual(gregorian)
})
