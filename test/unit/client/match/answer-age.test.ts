import { expect, it } from 'vitest'
import { ageText, parseAge } from '../../../../src/client/match/answer-age.ts'

it.each([
  ['90d', 7_776_000_000, '90d'],
  ['12h', 43_200_000, '12h'],
  ['48h', 172_800_000, '2d'],
  ['2w', 1_209_600_000, '14d'],
  ['90m', 5_400_000, '90m'],
  ['45s', 45_000, '45s'],
  ['0d', 0, '0d'],
])('an age of %s is %i ms, and said as %s', (text, ms, said) => {
  expect(parseAge(text)).toBe(ms)
  expect(ageText(ms)).toBe(said)
})

it.each(['30', 'd', '-1d', '1.5d', '30 days', '30y', '99999d', ''])('%j is no age', (text) =>
  expect(parseAge(text)).toBeUndefined(),
)
