/** Case B23: a limiter that has no time. In tests of the engine itself: test/integration/limiter. */
import { describe, expect, it } from 'vitest'
import { SimulatedDomain } from './simulated-domain.ts'

const RPS = 20

/** Somebody who always wants more, on a lease of two seconds. */
async function sending(): Promise<SimulatedDomain> {
  const domain = new SimulatedDomain({ policy: { maxRps: RPS, maxInFlight: 8 } })
  const permits = domain.process('a')
  for (let caller = 0; caller < 12; caller += 1) domain.caller(permits)
  await domain.clock.pass(10_000)
  return domain
}

const gapsOf = (domain: SimulatedDomain, fromMs: number) => {
  const sent = domain.sentAtMs.filter((atMs) => atMs >= fromMs)
  return sent.slice(1).map((atMs, index) => atMs - (sent[index] ?? 0))
}

describe('case B23: a limiter that turns messages away for a second', () => {
  it('is asked again under the same id, after waits that grow and differ; the lease goes on', async () => {
    const domain = await sending()
    const before = domain.acquires.length
    const fromMs = domain.clock.nowMs()
    domain.isLimiterAway = true
    await domain.clock.pass(1200)
    domain.isLimiterAway = false
    const tries = domain.acquires.slice(before)
    expect(tries.length).toBeGreaterThan(2)
    const ids = new Set(tries.map(({ requestId }) => requestId))
    expect(ids.size).toBeLessThanOrEqual(2)
    await domain.clock.pass(8000)
    // Nothing was lost of the lease it had; between it and the next one wait was the limiter's, one that of the retry.
    expect(domain.sentBetween(fromMs, fromMs + 9000)).toBeGreaterThan(0.75 * RPS * 9)
    expect(domain.sentBetween(fromMs, fromMs + 9000)).toBeLessThanOrEqual(RPS * 9 + 1 + RPS / 4)
  })

  it('is asked by each process at its own time', async () => {
    const domain = new SimulatedDomain({ policy: { maxRps: RPS, maxInFlight: 8 } })
    domain.isLimiterAway = true
    for (const name of ['a', 'b', 'c', 'd']) domain.caller(domain.process(name))
    const askedMs: number[] = []
    for (let look = 0; look < 400; look += 1) {
      const before = domain.acquires.length
      await domain.clock.pass(5)
      for (let one = before; one < domain.acquires.length; one += 1) {
        askedMs.push(domain.clock.nowMs())
      }
    }
    // All begin together; once they have found no answer twice they are spread.
    const late = askedMs.filter((atMs) => atMs > 500)
    expect(late.length).toBeGreaterThan(6)
    expect(new Set(late).size).toBeGreaterThan(0.7 * late.length)
  })
})

it('case B23: a grant whose answer is lost, as in a continue-as-new, is given once and lost never', async () => {
  const domain = await sending()
  const fromMs = domain.clock.nowMs()
  domain.isLimiterMute = true
  await domain.clock.pass(1500)
  domain.isLimiterMute = false
  await domain.clock.pass(20_000)
  // One permit may be caught up; two leases beside each other would halve the gaps.
  const short = gapsOf(domain, fromMs).filter((gapMs) => gapMs < 0.9 * (1000 / RPS))
  expect(short.length).toBeLessThanOrEqual(RPS / 4)
  expect(domain.sentBetween(fromMs, fromMs + 20_000)).toBeGreaterThan(0.85 * RPS * 20)
  const sent = domain.sentAtMs.length
  const { totalRequests = 0 } = (await domain.snapshot()) ?? {}
  expect(totalRequests).toBeGreaterThan(sent - 3 * RPS)
  expect(totalRequests).toBeLessThanOrEqual(sent)
})
