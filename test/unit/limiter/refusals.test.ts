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
  it('case 24: with Retry-After stops every process: nobody sends before, and all send again after', async () => {
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

  it('with Retry-After is obeyed though the limiter never hears of it', async () => {
    const domain = new SimulatedDomain({
      policy: { maxRps: 20, maxInFlight: 8 },
      answer: (_, earlier) => {
        if (earlier !== 40) return { kind: 'ok', latencyMs: 100 }
        domain.isLimiterAway = true
        return { kind: 'throttled', retryAfterMs: 60_000 }
      },
    })
    const permits = domain.process('a')
    for (let caller = 0; caller < 10; caller += 1) domain.caller(permits)
    await domain.clock.pass(100_000)
    const heardMs = (domain.sentAtMs[40] ?? 0) + 100
    expect(domain.sentBetween(heardMs + 1, heardMs + 60_000)).toBe(0)
    // Then it goes on alone, as far as it was allowed.
    expect(domain.sentBetween(heardMs + 60_000, heardMs + 90_000)).toBeGreaterThan(20)
  })

  it('without Retry-After costs less than a second: one request finds out, then all go on', async () => {
    const domain = refusedOnce()
    const permits = domain.process('a')
    for (let caller = 0; caller < 10; caller += 1) domain.caller(permits)
    await domain.clock.pass(20_000)
    const heardMs = (domain.sentAtMs[40] ?? 0) + 100
    const [askedMs = Infinity, nextMs = 0] = domain.sentAtMs.filter((atMs) => atMs > heardMs)
    expect(askedMs - heardMs).toBeLessThan(200)
    expect(nextMs - askedMs).toBeGreaterThanOrEqual(100)
    expect(nextMs - heardMs).toBeLessThan(1000)
    expect(domain.sentBetween(heardMs + 1000, heardMs + 11_000)).toBeGreaterThan(0.95 * 20 * 10)
  })

  it('without Retry-After, again and again, is asked about ever more rarely, one at a time', async () => {
    const domain = new SimulatedDomain({
      policy: { maxRps: 20, maxInFlight: 8 },
      answer: (nowMs) => (nowMs < 60_000 ? { kind: 'throttled' } : { kind: 'ok', latencyMs: 100 }),
    })
    for (const name of ['a', 'b']) {
      const permits = domain.process(name)
      for (let caller = 0; caller < 10; caller += 1) domain.caller(permits)
    }
    await domain.clock.pass(120_000)
    expect(domain.sentBetween(1000, 60_000)).toBeLessThanOrEqual(12)
    expect(domain.sentBetween(30_000, 60_000)).toBeGreaterThanOrEqual(1)
    const gapsMs = domain.sentAtMs
      .filter((atMs) => atMs > 1000 && atMs < 60_000)
      .flatMap((atMs, index, all) => (index === 0 ? [] : [atMs - (all[index - 1] ?? 0)]))
    expect(Math.min(...gapsMs)).toBeGreaterThan(400)
    expect(domain.sentBetween(100_000, 110_000)).toBeGreaterThan(0.95 * 20 * 10)
  })

  it('keeps nobody from the leases of a new limiter that knows nothing of it', async () => {
    const domain = refusedOnce()
    const permits = domain.process('a')
    for (let caller = 0; caller < 10; caller += 1) domain.caller(permits)
    await domain.clock.pass(5000)
    expect(domain.sentAtMs.length).toBeGreaterThan(41)
    domain.forgetLimiter()
    await domain.clock.pass(10_000)
    expect(domain.sentBetween(8000, 15_000)).toBeGreaterThan(0.9 * 20 * 7)
  })

  it('is told with what was accepted until then, which counts once though it is told twice', async () => {
    const domain = refusedOnce()
    const permits = domain.process('a')
    const stop = new AbortController()
    for (let caller = 0; caller < 10; caller += 1) domain.caller(permits, { signal: stop.signal })
    await domain.clock.pass(4000)
    stop.abort()
    await domain.clock.pass(10_000)
    const [notice] = domain.notices
    expect(notice?.reports.reduce((sum, { throttled }) => sum + throttled, 0)).toBe(1)
    expect(notice?.reports.reduce((sum, { ok }) => sum + ok, 0)).toBeGreaterThan(0)
    const toldAgain = domain.acquires.some(({ reports }) =>
      reports.some(({ leaseId, sequence }) =>
        notice?.reports.some((told) => told.leaseId === leaseId && told.sequence === sequence),
      ),
    )
    expect(toldAgain).toBe(true)
    expect(await domain.snapshot()).toMatchObject({
      totalRequests: domain.sentAtMs.length,
      refusedRequests: 1,
    })
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
