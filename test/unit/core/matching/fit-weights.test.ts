import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitWeights, type LabelledRecord } from '../../../../src/core/matching/fit/fit-weights.ts'
import { ordersOf } from '../../../../src/core/matching/fit/level-orders.ts'
import { personLevels } from '../../../../src/core/matching/features/person-likeness.ts'
import { titleLevels } from '../../../../src/core/matching/features/title-likeness.ts'
import { handSetWeights } from '../../../../src/core/matching/hand-set-weights.ts'
import { weightsOf } from '../../../../src/core/matching/weights.ts'
import { entityKinds } from '../../../../src/core/project-settings.ts'

const start = handSetWeights.person
const orders = ordersOf('person')
const STEPS = 60

const levels = fc.constantFrom(
  'name.equal',
  'name.partial',
  'name.different',
  'date.year',
  'date.far',
)
const labelled = fc
  .array(fc.array(levels, { maxLength: 3 }), { minLength: 1, maxLength: 4 })
  .chain((candidates) =>
    fc.record({
      candidates: fc.constant(candidates),
      right: fc.option(fc.nat({ max: candidates.length - 1 })),
    }),
  )

describe('fitWeights', () => {
  it('never lets a better agreement weigh less, whatever the labels say', () => {
    fc.assert(
      fc.property(fc.array(labelled, { maxLength: 12 }), (records) => {
        const { bits } = fitWeights(records, start, { orders, steps: STEPS })
        const order = [
          'date.day',
          'date.year',
          'date.same-year',
          'date.near',
          'date.close',
          'date.other-day',
          'date.far',
        ]
        const inOrder = order.map((level) => bits[level] ?? 0)
        expect(inOrder).toEqual(inOrder.toSorted((a, b) => b - a))
        expect(bits['date.year']).toBeGreaterThanOrEqual(0)
        expect(bits['date.far']).toBeLessThanOrEqual(0)
      }),
      { numRuns: 20 },
    )
  })

  it('keeps what it was told where no record shows otherwise', () => {
    const { prior, bits } = fitWeights([], start, { orders, steps: STEPS })
    expect(prior).toBe(start.prior)
    expect(bits).toEqual(start.bits)
  })

  it('learns that a name told more than was believed', () => {
    const alone: LabelledRecord = { candidates: [['name.same-family']], right: 0 }
    const { bits, lossBefore, lossAfter } = fitWeights(
      Array.from({ length: 40 }, () => alone),
      start,
      { orders },
    )
    expect(bits['name.same-family']).toBeGreaterThan(start.bits['name.same-family'] ?? 0)
    expect(lossAfter).toBeLessThan(lossBefore)
  })

  it('counts a record as often as it says', () => {
    const wrong: LabelledRecord = { candidates: [['name.equal']], right: null }
    const thrice = fitWeights([wrong, wrong, wrong], start, { orders, steps: STEPS })
    const weighed = fitWeights([{ ...wrong, weight: 3 }], start, { orders, steps: STEPS })
    expect(weighed.prior).toBeCloseTo(thrice.prior, 2)
  })
})

describe('the shipped weights', () => {
  it.each(entityKinds)('of a %s are in order', (kind) => {
    const { bits } = weightsOf(kind)
    const names = kind === 'person' ? personLevels : titleLevels
    const ofNames = names.map((level) => bits[`name.${level}`])
    expect(ofNames).not.toContain(undefined)
    expect(ofNames).toEqual(ofNames.toSorted((a, b) => (b ?? 0) - (a ?? 0)))
  })
})
