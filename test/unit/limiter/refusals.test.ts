/** What processes do when the server refuses one of them. */
import { describe, expect, it } from 'vitest'
import { SimulatedDomain } from './simulated-domain.ts'

const refusedOnce = (retryAfterMs?: number) =>
  new SimulatedDomain({
    policy: { maxRps: 20, maxInFlight: 8 },
    answer: (_, earlier) =>
      earlier === 40
        ? { kind: 'throttled', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
        : { kind: 'ok', latencyMs: 100 },
  })

describe('a refusal', () => {
  it('with Retry-After stops every process: nobody sends before, and all send again after', async () => {
    const domain = refusedOnce(30_000)
    for (const name of ['a', 'b', 'c']) {
      const permits = domain.process(name)
      for (let caller = 0; caller < 10; caller += 1) domain.caller(permits)
    }
    await domain.clock.pass(60_000)
    const heardMs = (domain.sentAtMs[40] ?? 0) + 100
    // The others learn of it with their next message, or when their lease ends.
    expect(domain.sentBetween(heardMs + 4300, heardMs + 30_000)).toBe(0)
    expect(domain.sentBetween(heardMs + 30_000, heardMs + 45_000)).toBeGreaterThan(150)
  })

  it('with Retry-After stops the process that met it at once', async () => {
    const domain = refusedOnce(30_000)
    const permits = domain.process('a')
    for (let caller = 0; caller < 10; caller += 1) domain.caller(permits)
    await domain.clock.pass(20_000)
    const heardMs = (domain.sentAtMs[40] ?? 0) + 100
    expect(domain.sentBetween(heardMs + 1, heardMs + 30_000)).toBe(0)
    expect(domain.messages.refused).toBe(1)
    expect(permits.snapshot()).toMatchObject([{ hold: 'retry_after' }])
    // They come back spread over a tenth of the wait and more, not together.
    const late = domain.turnedAway.filter((delayMs) => delayMs > 20_000)
    expect(Math.max(...late) - Math.min(...late)).toBeGreaterThan(1000)
  })

  it('without Retry-After costs a second or two', async () => {
    const domain = refusedOnce()
    const permits = domain.process('a')
    for (let caller = 0; caller < 10; caller += 1) domain.caller(permits)
    await domain.clock.pass(20_000)
    const heardMs = (domain.sentAtMs[40] ?? 0) + 100
    expect(domain.sentBetween(heardMs + 1, heardMs + 500)).toBe(0)
    expect(domain.sentBetween(heardMs + 1, heardMs + 4000)).toBeGreaterThan(0)
  })

  it('of everything that is on its way is told once per half second', async () => {
    const domain = new SimulatedDomain({
      policy: { maxRps: 50, maxInFlight: 8 },
      answer: () => ({ kind: 'throttled', retryAfterMs: 100 }),
    })
    const permits = domain.process('a')
    for (let caller = 0; caller < 20; caller += 1) domain.caller(permits)
    await domain.clock.pass(20_000)
    expect(domain.messages.refused).toBeLessThanOrEqual(41)
  })
})
