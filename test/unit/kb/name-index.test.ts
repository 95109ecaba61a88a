import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameForms } from '../../../src/core/names/normalize-name.ts'
import { buildNameIndex } from '../../../src/kb/name-index.ts'
import { kbItem } from './kb-items.ts'

const everything = (): boolean => true

describe('search', () => {
  it('finds every item by each of its names with 100, whatever else is in the file', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', 'é', 'я', '東', '!'),
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 100 }), (names) => {
        const items = names.map(([label, alias], n) => kbItem(`Q${n}`, label, { aliases: [alias] }))
        const index = buildNameIndex(items)
        names.forEach((pair, item) => {
          for (const text of pair.filter((one) => nameForms(one).a !== '')) {
            const hit = index.search(text, everything).find((found) => found.item === item)
            expect(hit).toMatchObject({ score: 100, exact: true })
          }
        })
      }),
      { numRuns: 20 },
    )
  })

  it('finds all of many homonyms, more than it compares by likeness', () => {
    const items = Array.from({ length: 200 }, (_, n) => kbItem(`Q${n}`, 'Coop'))
    expect(buildNameIndex(items).search('coop', everything)).toHaveLength(200)
  })

  it('does not let items that are filtered out take the place of others', () => {
    const items = Array.from({ length: 200 }, (_, n) => kbItem(`Q${n}`, `Bank of Place ${n}`))
    const hits = buildNameIndex(items).search('Bank of Places', (item) => item === 150)
    expect(hits.map(({ item }) => item)).toEqual([150])
  })

  it('takes different names of one Chinese reading for a guess only', () => {
    const index = buildNameIndex([kbItem('Q1', '东京')])
    expect(index.search('Dong Jing', everything)[0]).toMatchObject({ score: 85, exact: false })
  })

  it('has no answer for a blank text', () => {
    expect(buildNameIndex([kbItem('Q1', 'a')]).search(' \u200b', everything)).toEqual([])
  })
})
