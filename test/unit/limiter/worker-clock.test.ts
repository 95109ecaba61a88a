import { afterEach, expect, it, vi } from 'vitest'
import { SimulatedDomain } from './simulated-domain.ts'

const HOUR_MS = 3_600_000

afterEach(() => {
  vi.useRealTimers()
})

/** What the server saw of two processes, while the clock on their wall jumped by so much every second. */
async function sends(jumpMs: number): Promise<readonly number[]> {
  const domain = new SimulatedDomain({
    policy: { maxRps: 20, maxInFlight: 4 },
    answer: (_, earlier) =>
      earlier === 100 ? { kind: 'throttled', retryAfterMs: 5000 } : { kind: 'ok', latencyMs: 100 },
  })
  for (const worker of ['a', 'b']) {
    const permits = domain.process(worker)
    for (let caller = 0; caller < 6; caller += 1) domain.caller(permits)
  }
  for (let second = 0; second < 30; second += 1) {
    await domain.clock.pass(1000)
    vi.setSystemTime(Date.now() + (second % 3 === 0 ? -jumpMs : jumpMs))
  }
  return domain.sentAtMs
}

it('case B10: the clock on the wall of a worker may jump an hour either way, again and again: nothing changes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 })
  const still = await sends(0)
  expect(still.length).toBeGreaterThan(300)
  expect(await sends(HOUR_MS)).toEqual(still)
})
