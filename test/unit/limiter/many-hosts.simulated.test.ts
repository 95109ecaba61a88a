/** Case B26: so many hosts that nothing may be kept of all of them. */
import { setMaxListeners } from 'node:events'
import { expect, it } from 'vitest'
import { defaultPolicy } from '../../../src/core/limiter/policy.ts'
import { OutsideCallError } from '../../../src/errors.ts'
import { createInProcessChannel } from '../../../src/limiter/in-process-channel.ts'
import { brokerOver } from '../../../src/limiter/permit-broker.ts'
import { VirtualClock } from './virtual-clock.ts'

const HOUR_MS = 3_600_000
/** Ten thousand in an hour, of which five minutes show that nothing grows. */
const EVERY_MS = HOUR_MS / 10_000
const HOSTS = 800
const IDLE_MS = 100_000
const signal = new AbortController().signal
setMaxListeners(0, signal)

function processOverItsLimiters() {
  const clock = new VirtualClock()
  const random = () => 0.5
  const policyFor = (domain: string) => ({ ...defaultPolicy(domain), domainStateTtlMs: IDLE_MS })
  const channel = createInProcessChannel({ policyFor, clock, random })
  const log = { info: () => undefined, warn: () => undefined }
  const options = { worker: 'a', policyFor, clock, random, log }
  return { clock, channel, permits: brokerOver(channel, options) }
}

it('case B26: ten thousand hosts in an hour keep a hundred brokers, and no limiter that is idle', async () => {
  const { clock, channel, permits } = processOverItsLimiters()
  const request = (domain: string) => permits.acquire({ domain, project: '1', signal })
  const counted = async (domain: string) => {
    const look = { worker: 'onlooker', requestId: 'look', wants: [], inFlight: 0, reports: [] }
    return (await channel.acquire(domain, { ...look, snapshot: true })).snapshot
  }
  const slow = await request('shut.example')
  slow.report({ kind: 'throttled', retryAfterMs: 2 * HOUR_MS })
  let most = 0
  let served = 0
  const visit = async (domain: string) => {
    const permit = await request(domain)
    served += 1
    permit.report({ kind: 'ok', latencyMs: 1 })
  }
  for (let host = 0; host < HOSTS; host += 1) {
    void visit(`h${host}.example`)
    await clock.pass(EVERY_MS)
    if (host % 50 === 0) most = Math.max(most, permits.snapshot().length)
  }
  await clock.pass(5000)
  expect(served).toBe(HOSTS)
  expect(most).toBeLessThan(100)
  // So long idle is the end of a limiter; a wait its server asked for is not forgotten.
  expect((await counted(`h${HOSTS - 1}.example`))?.totalRequests).toBe(1)
  expect((await counted('h0.example'))?.totalRequests).toBe(0)
  expect((await counted('shut.example'))?.hold).toBe('retry_after')
  await expect(request('shut.example')).rejects.toThrow(OutsideCallError)
})
