import { describe, expect, it } from 'vitest'
import { SimulatedDomain } from './simulated-domain.ts'

describe('a limiter that cannot be reached', () => {
  it('never answered: nothing is ever sent, and callers are told', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 20, maxInFlight: 8 } })
    domain.isLimiterAway = true
    const permits = domain.process('a')
    for (let caller = 0; caller < 10; caller += 1) domain.caller(permits)
    await domain.clock.pass(120_000)
    expect(domain.sentAtMs).toEqual([])
    expect(permits.snapshot()).toMatchObject([{ hold: 'limiter_silent' }])
  })

  it('goes away: its leases are spent, then half and half again, and after ten minutes nothing', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 20, maxInFlight: 8 } })
    const permits = domain.process('a')
    for (let caller = 0; caller < 12; caller += 1) domain.caller(permits)
    await domain.clock.pass(10_000)
    domain.isLimiterAway = true
    await domain.clock.pass(700_000)
    expect(domain.sentBetween(20_000, 35_000)).toBeGreaterThan(0.7 * 0.8 * 20 * 15)
    expect(domain.sentBetween(20_000, 35_000)).toBeLessThanOrEqual(0.8 * 20 * 15 + 1)
    expect(domain.sentBetween(45_000, 68_000)).toBeLessThanOrEqual(0.4 * 20 * 23 + 4)
    expect(domain.sentBetween(300_000, 620_000)).toBeLessThanOrEqual(4)
    expect(domain.sentBetween(620_000, 710_000)).toBe(0)
    domain.isLimiterAway = false
    await domain.clock.pass(70_000)
    expect(domain.sentBetween(720_000, 780_000)).toBeGreaterThan(0.9 * 20 * 50)
  })

  it('goes away from three processes: each goes on with its part of what may be in flight', async () => {
    const policy = { maxRps: 20, maxInFlight: 4 }
    const domain = new SimulatedDomain({ policy, latencyMs: 1000 })
    for (const name of ['a', 'b', 'c']) {
      const permits = domain.process(name)
      for (let caller = 0; caller < 8; caller += 1) domain.caller(permits)
    }
    await domain.clock.pass(30_000)
    expect(domain.mostInFlight).toBe(4)
    domain.isLimiterAway = true
    // What was on its way has ended before anybody goes on alone.
    await domain.clock.pass(10_000)
    domain.mostInFlight = 0
    await domain.clock.pass(30_000)
    expect(domain.mostInFlight).toBe(3)
  })

  it('comes back after minutes: what was slow alone is fast again at once', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 20, maxInFlight: 8 } })
    const permits = domain.process('a')
    for (let caller = 0; caller < 12; caller += 1) domain.caller(permits)
    await domain.clock.pass(10_000)
    domain.isLimiterAway = true
    await domain.clock.pass(400_000)
    domain.isLimiterAway = false
    await domain.clock.pass(20_000)
    expect(domain.sentBetween(420_000, 430_000)).toBeGreaterThan(0.9 * 20 * 10)
  })

  it('is silent for as long as it may be when it moves: nothing gets slower', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: 20, maxInFlight: 8 } })
    const permits = domain.process('a')
    for (let caller = 0; caller < 12; caller += 1) domain.caller(permits)
    await domain.clock.pass(10_000)
    domain.isLimiterAway = true
    await domain.clock.pass(2500)
    domain.isLimiterAway = false
    await domain.clock.pass(10_000)
    expect(domain.sentBetween(0, 20_000)).toBeGreaterThan(0.8 * 400)
  })
})
