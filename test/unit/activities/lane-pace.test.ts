import { expect, it } from 'vitest'
import { createLanePace } from '../../../src/activities/lane-pace.ts'

it('a lane claims one at first, then more while its files are quick, never more than it fetches in a moment', () => {
  const pace = createLanePace()
  expect(pace.ahead()).toBe(1)
  const claims: number[] = []
  for (let claim = 0; claim < 8; claim++) {
    for (let file = 0; file < 10; file++) pace.ended(5)
    claims.push(pace.ahead())
  }
  expect(claims).toEqual([2, 4, 8, 16, 32, 32, 32, 32])
})

it('one slow file, and it claims one at a time again', () => {
  const pace = createLanePace()
  for (let file = 0; file < 10; file++) {
    pace.ended(1)
    pace.ahead()
  }
  pace.ended(60_000)
  expect(pace.ahead()).toBe(1)
})
