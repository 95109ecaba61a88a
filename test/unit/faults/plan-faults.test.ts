import { describe, expect, it } from 'vitest'
import { faultName, faultText } from '../../faults/seeded/fault.ts'
import { planFaults } from '../../faults/seeded/plan-faults.ts'

const options = { faults: 16, longestMs: 20_000 }
const seeds = Array.from({ length: 50 }, (_, seed) => seed)
const plans = seeds.map((seed) => planFaults(seed, options))

describe('the schedule of a seed', () => {
  it('is the same each time, and another one for another seed', () => {
    expect(planFaults(7, options)).toEqual(planFaults(7, options))
    const texts = plans.map(({ faults }) => faults.map(faultText).join('\n'))
    expect(new Set(texts).size).toBe(seeds.length)
  })

  it('has as many faults as are wanted, in the order of the progress, before the match is over', () => {
    for (const { faults } of plans) {
      expect(faults).toHaveLength(options.faults)
      const shares = faults.map(({ atShare }) => atShare)
      expect(shares).toEqual(shares.toSorted((a, b) => a - b))
      expect(shares.at(-1)).toBeLessThanOrEqual(0.9)
    }
  })

  it('brings every kind before one comes a second time', () => {
    for (const { faults } of plans) {
      expect(new Set(faults.map(({ fault }) => faultName(fault))).size).toBe(16)
    }
  })

  it('lets some faults come together, and none last longer than is wanted', () => {
    const all = plans.flatMap(({ faults }) => faults)
    const together = plans.flatMap(({ faults }) =>
      faults.filter(({ atShare }, index) => faults[index - 1]?.atShare === atShare),
    )
    expect(together.length / all.length).toBeGreaterThan(0.2)
    const pausesMs = all.flatMap(({ fault }) => (fault.kind === 'pause' ? [fault.forMs] : []))
    expect(Math.max(...pausesMs)).toBeLessThanOrEqual(options.longestMs)
  })
})
