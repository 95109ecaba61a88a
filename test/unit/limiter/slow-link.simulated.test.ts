/** Messages between a process and its limiter that take seconds: a busy event loop, a far server. */
import { expect, it } from 'vitest'
import { SimulatedDomain } from './simulated-domain.ts'

const MINUTE_MS = 60_000

it.each([
  [1, 0.95],
  [3, 0.95],
])(
  '%i processes whose messages take 1.5 s each way use most of the rate, and never exceed it',
  async (processes, part) => {
    const domain = new SimulatedDomain({ policy: { maxRps: 10 }, messageMs: 1_500 })
    for (let made = 0; made < processes; made += 1) {
      const permits = domain.process(`w${made}`)
      for (let caller = 0; caller < 30; caller += 1) domain.caller(permits)
    }
    await domain.clock.pass(6 * MINUTE_MS)
    const sent = domain.sentBetween(MINUTE_MS, 6 * MINUTE_MS)
    expect(sent).toBeGreaterThanOrEqual(part * 10 * 300)
    expect(sent).toBeLessThanOrEqual(10 * 300 + 20)
    // No more than a second of the rate and a quarter in any second.
    for (let fromMs = MINUTE_MS; fromMs < 6 * MINUTE_MS; fromMs += 500) {
      expect(domain.sentBetween(fromMs, fromMs + 1000)).toBeLessThanOrEqual(13)
    }
  },
)
