import { expect, it } from 'vitest'
import { DemandMeter } from '../../../src/limiter/demand-meter.ts'

const heavy = { project: 'project/1', priority: 'normal' } as const
const plain = { project: 'project/2', priority: 'high' } as const

it('tells the weight of a project where it is not 1, as last said', () => {
  const meter = new DemandMeter()
  meter.count(heavy, 0, 2)
  meter.count(heavy, 0, 3)
  meter.count(plain, 0)
  const wants = meter.wants([], 0)
  expect(wants).toContainEqual(expect.objectContaining({ project: 'project/1', weight: 3 }))
  expect(wants).toContainEqual({ project: 'project/2', permits: 2, priority: 'high' })
  meter.count(heavy, 0, 1)
  expect(meter.wants([], 0).every((want) => want.weight === undefined)).toBe(true)
})
