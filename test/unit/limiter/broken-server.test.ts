import { expect, it } from 'vitest'
import { SimulatedDomain } from './simulated-domain.ts'

it.each([1, 3])(
  'case B4: %i processes find a server that was down for a minute well again by themselves',
  async (processes) => {
    const domain = new SimulatedDomain({
      policy: { maxRps: 20 },
      answer: (nowMs) => (nowMs < 60_000 ? { kind: 'overload' } : { kind: 'ok', latencyMs: 100 }),
    })
    for (let process = 0; process < processes; process += 1) {
      const permits = domain.process(`w${process}`)
      for (let caller = 0; caller < 4; caller += 1) domain.caller(permits)
    }
    await domain.clock.pass(60_000)
    expect((await domain.snapshot())?.state).toBe('open')
    expect(domain.sentBetween(10_000, 60_000)).toBeLessThan(60)
    await domain.clock.pass(60_000)
    expect((await domain.snapshot())?.state).toBe('closed')
    expect(domain.sentBetween(110_000, 120_000)).toBeGreaterThan(100)
  },
)
