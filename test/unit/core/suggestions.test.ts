import { describe, expect, it } from 'vitest'
import { findKnownProperties } from '../../../src/core/known-properties.ts'
import { rankTypes } from '../../../src/core/suggestions.ts'

describe('types', () => {
  it('are ranked by the names that have a candidate of them, then by candidates', () => {
    const human = { id: 'Q5', name: 'human' }
    const film = { id: 'Q11424' }
    const band = { id: 'Q215380', name: 'band' }
    const lists = [
      [{ types: [human] }, { types: [film] }, { types: [film] }, { types: [film] }],
      [{ types: [{ id: 'Q5' }, band] }],
      [],
    ]
    expect(rankTypes(lists)).toEqual([
      { ...human, names: 2, candidates: 2 },
      { id: 'Q11424', name: null, names: 1, candidates: 3 },
      { ...band, names: 1, candidates: 1 },
    ])
  })
})

describe('well-known properties', () => {
  it.each([
    ['birth date', 'P569'],
    ['Date of Birth', 'P569'],
    ['birth da', 'P569'],
    ['born', 'P569'],
    ['viaf', 'P214'],
    ['GND ID', 'P227'],
    ['website', 'P856'],
    ['nationality', 'P27'],
    ['lat', 'P625'],
  ])('%j finds %s first', (text, pid) => {
    expect(findKnownProperties(text)[0]?.id).toBe(pid)
  })

  it.each(['', '  ', 'zebra', 'birth zebra'])('%j finds none', (text) => {
    expect(findKnownProperties(text)).toEqual([])
  })
})
