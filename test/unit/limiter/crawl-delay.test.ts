/** Case B2: a crawl delay runs from every send, a back-off from a refusal; they are two clocks, and the later wins. */
import { describe, expect, it } from 'vitest'
import type { CallOutcome } from '../../../src/core/limiter/permit.ts'
import { SimulatedDomain } from './simulated-domain.ts'

/** A lease may be a little early against the last send of another, never by more. */
const SLACK_MS = 5

interface Story {
  readonly minSpacingMs: number
  readonly answer: (earlier: number) => CallOutcome
  readonly forMs?: number
}

const ok: CallOutcome = { kind: 'ok', latencyMs: 50 }

/** Two processes that always want more. @returns When each request was sent. */
async function sendTimes({ minSpacingMs, answer, forMs = 60_000 }: Story) {
  const domain = new SimulatedDomain({
    policy: { maxRps: 20, minSpacingMs },
    latencyMs: 50,
    answer: (_, earlier) => answer(earlier),
  })
  for (const name of ['a', 'b']) {
    const permits = domain.process(name)
    for (let caller = 0; caller < 3; caller += 1) domain.caller(permits)
  }
  await domain.clock.pass(forMs)
  return domain.sentAtMs
}

const gapsOf = (sent: readonly number[]) =>
  sent.slice(1).map((atMs, index) => atMs - (sent[index] ?? 0))

describe('case B2: a crawl delay and a refusal', () => {
  it.each([
    ['longer', 10_000],
    ['shorter', 300],
  ])('with a wait that is %s: the later of the two moments wins', async (_, retryAfterMs) => {
    const refused: CallOutcome = { kind: 'throttled', retryAfterMs }
    const sent = await sendTimes({
      minSpacingMs: 1000,
      answer: (earlier) => (earlier === 5 ? refused : ok),
    })
    const gaps = gapsOf(sent)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000 - SLACK_MS)
    expect(gaps[5]).toBeGreaterThanOrEqual(Math.max(1000 - SLACK_MS, retryAfterMs + 50))
    expect(sent.length).toBeGreaterThan(20)
  })

  it('without a wait, again and again: the back-off grows above the delay, and is not swallowed by it', async () => {
    const sent = await sendTimes({
      minSpacingMs: 500,
      answer: (earlier) => (earlier >= 3 && earlier < 8 ? { kind: 'throttled' } : ok),
    })
    const gaps = gapsOf(sent)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500 - SLACK_MS)
    // After the second refusal in a row at least half of 1, 2, 4 and 8 s, counted from the refusal.
    for (const [index, leastMs] of [500, 1000, 2000, 4000].entries()) {
      expect(gaps[4 + index]).toBeGreaterThanOrEqual(leastMs)
    }
    // Then it goes on at the pace of the delay, less what is lost where one process hands over to the other.
    expect(sent.filter((atMs) => atMs > 40_000).length).toBeGreaterThan(20)
  })

  it('without a wait, where the delay is the longer one: the delay holds', async () => {
    const sent = await sendTimes({
      minSpacingMs: 5000,
      answer: (earlier) => (earlier === 3 || earlier === 4 ? { kind: 'throttled' } : ok),
      forMs: 120_000,
    })
    expect(Math.min(...gapsOf(sent))).toBeGreaterThanOrEqual(5000 - SLACK_MS)
    expect(sent.length).toBeGreaterThan(12)
  })

  it('at a server that fails: the probes of the breaker keep the delay too, whoever sends them', async () => {
    const sent = await sendTimes({
      minSpacingMs: 8000,
      answer: (earlier) => (earlier >= 3 && earlier < 15 ? { kind: 'failed' } : ok),
      forMs: 600_000,
    })
    expect(Math.min(...gapsOf(sent))).toBeGreaterThanOrEqual(8000 - SLACK_MS)
    expect(sent.length).toBeGreaterThan(20)
  })
})
