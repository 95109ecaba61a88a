import { expect, it } from 'vitest'
import { SimulatedDomain } from './simulated-domain.ts'

it.each([
  [1, 20],
  [3, 20],
  [1, 200],
])(
  'case B4: %i processes, %i ms from their limiter, find a server that was down for a minute well again',
  async (processes, messageMs) => {
    const domain = new SimulatedDomain({
      messageMs,
      policy: { maxRps: 20 },
      answer: (nowMs) => (nowMs < 60_000 ? { kind: 'overload' } : { kind: 'ok', latencyMs: 100 }),
    })
    for (let process = 0; process < processes; process += 1) {
      const permits = domain.process(`w${process}`)
      for (let caller = 0; caller < 4; caller += 1) domain.caller(permits)
    }
    await domain.clock.pass(60_000)
    // Open, or half open while a probe finds out.
    expect((await domain.snapshot())?.state).not.toBe('closed')
    expect(domain.sentBetween(10_000, 60_000)).toBeLessThan(60)
    await domain.clock.pass(60_000)
    expect((await domain.snapshot())?.state).toBe('closed')
    expect(domain.sentBetween(110_000, 120_000)).toBeGreaterThan(100)
  },
)

it('a server that no connection reaches is asked every few seconds, so that it is used soon after its return', async () => {
  const domain = new SimulatedDomain({ policy: { maxRps: 20 }, answer: () => ({ kind: 'failed' }) })
  const permits = domain.process('w')
  for (let caller = 0; caller < 4; caller += 1) domain.caller(permits)
  await domain.clock.pass(3_600_000)
  const late = domain.sentAtMs.filter((atMs) => atMs > 3_000_000)
  const gaps = late.slice(1).map((atMs, index) => atMs - (late[index] ?? 0))
  expect(Math.max(...gaps)).toBeLessThan(12_000)
  expect(late.length).toBeLessThan(600)
})
