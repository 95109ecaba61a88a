import { expect, it } from 'vitest'
import { tableText, useColour } from '../../../src/client/output.ts'

it('columns stand under each other in any script', () => {
  const lines = tableText(
    ['id', 'name', 'n'],
    [
      [1, '東京都', 3],
      ['Q2', 'Достоевский', null],
      ['Q3', 'a', 5],
    ],
  ).split('\n')
  expect(lines).toEqual([
    'id  name         n',
    '1   東京都       3',
    'Q2  Достоевский',
    'Q3  a            5',
  ])
})

it('text of others cannot move the cursor', () => {
  expect(tableText(['a'], [['x\u001b[2Jy\nz']])).toBe('a\nx [2Jy z')
})

it('colour is for terminals', () => {
  expect(useColour({})).toBe(false)
  expect(useColour({ isTTY: false })).toBe(false)
})
