/** What `limits` is told by a process: nothing that has ended may be missing for long. */
import { expect, it } from 'vitest'
import type { DomainSnapshot } from '../../../src/core/limiter/protocol.ts'
import type { PermitBroker } from '../../../src/limiter/permit-broker.ts'
import { DOMAIN, SimulatedDomain } from './simulated-domain.ts'

const signal = new AbortController().signal

/** A process whose snapshots take `storeMs` to be stored. */
function watched(storeMs = 0) {
  const domain = new SimulatedDomain({ policy: { maxRps: 20, maxInFlight: 8 } })
  const stored: DomainSnapshot[] = []
  const permits = domain.process('a', async (snapshot) => {
    await domain.clock.sleep(storeMs)
    stored.push(snapshot)
  })
  return { domain, stored, permits }
}

/** A short run: so many requests, one after the other. */
async function run(domain: SimulatedDomain, permits: PermitBroker, requests: number) {
  let left = requests
  const all = (async () => {
    for (; left > 0; left -= 1) {
      const permit = await permits.acquire({ domain: DOMAIN, project: '1', signal })
      await domain.send(permit, '1')
    }
  })()
  while (left > 0) await domain.clock.pass(50)
  await all
}

it('a run that is over is shown whole as soon as its process was asked to settle', async () => {
  const { domain, stored, permits } = watched(30)
  await run(domain, permits, 7)
  expect(stored.at(-1)?.totalRequests ?? 0).toBeLessThan(7)
  const settling = permits.settle()
  await domain.clock.pass(500)
  await settling
  expect(stored.at(-1)).toMatchObject({ totalRequests: 7, inFlight: 0 })
})

it('a run that is over is shown whole by itself when its process gives back what it held', async () => {
  const { domain, stored, permits } = watched()
  await run(domain, permits, 7)
  await domain.clock.pass(2500)
  expect(domain.messages.release).toBe(1)
  expect(stored.at(-1)).toMatchObject({ totalRequests: 7, inFlight: 0, workers: 0 })
})

it('a process that has told everything says nothing more when it is asked to settle', async () => {
  const { domain, permits } = watched()
  await run(domain, permits, 3)
  await domain.clock.pass(5000)
  const before = { ...domain.messages }
  await permits.settle()
  expect(domain.messages).toEqual(before)
})

it('a limiter that does not answer holds nobody up for longer than a second', async () => {
  const { domain, permits } = watched()
  await run(domain, permits, 3)
  domain.isLimiterAway = true
  let isSettled = false
  void permits.settle().finally(() => {
    isSettled = true
  })
  await domain.clock.pass(1000)
  expect(isSettled).toBe(true)
})

it('a wait the server asks for is shown at once, though figures are shown every five seconds', async () => {
  const domain = new SimulatedDomain({
    policy: { maxRps: 20, maxInFlight: 8 },
    answer: (_, earlier) =>
      earlier === 10
        ? { kind: 'throttled', retryAfterMs: 7_200_000 }
        : { kind: 'ok', latencyMs: 100 },
  })
  const stored: DomainSnapshot[] = []
  const permits = domain.process('a', async (snapshot) => void stored.push(snapshot))
  domain.caller(permits)
  while (domain.sentAtMs.length <= 10) await domain.clock.pass(10)
  await domain.clock.pass(2500)
  expect(stored.at(-1)).toMatchObject({ hold: 'retry_after', refusedRequests: 1 })
  expect(stored.at(-1)?.parkedForMs).toBeGreaterThan(7_190_000)
})
