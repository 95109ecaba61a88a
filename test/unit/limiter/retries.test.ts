/** Case B18: repeats while the retry quota of a domain is empty. */
import { describe, expect, it } from 'vitest'
import { fullQuota } from '../../../src/core/limiter/retry-quota.ts'
import type { CallOutcome } from '../../../src/core/limiter/permit.ts'
import type { PermitBroker } from '../../../src/limiter/permit-broker.ts'
import { DOMAIN, SimulatedDomain } from './simulated-domain.ts'

const signal = new AbortController().signal
const COST = 14

function process(): { readonly domain: SimulatedDomain; readonly permits: PermitBroker } {
  const domain = new SimulatedDomain({ policy: { maxRps: 100, maxInFlight: 50 } })
  return { domain, permits: domain.process('a') }
}

const quotaOf = (permits: PermitBroker) => permits.snapshot()[0]?.retryQuota

/** One request that ends so. */
async function send(
  { domain, permits }: ReturnType<typeof process>,
  kind: CallOutcome['kind'],
  attempt = 1,
): Promise<void> {
  void permits
    .acquire({ domain: DOMAIN, project: '1', signal, attempt })
    .then((permit) => permit.report({ kind, latencyMs: 5 }))
  await domain.clock.pass(300)
}

describe('V8: the quota of a process and domain', () => {
  it('pays 14 for a repeat, which gives it back when it succeeds, and nothing when it fails', async () => {
    const sending = process()
    const { permits } = sending
    expect(permits.takeRetry(DOMAIN)).toBe(true)
    expect(permits.takeRetry(DOMAIN)).toBe(true)
    expect(quotaOf(permits)).toBe(472)
    await send(sending, 'ok', 2)
    expect(quotaOf(permits)).toBe(486)
    await send(sending, 'overload', 2)
    expect(quotaOf(permits)).toBe(486)
  })

  it('gains 1 by a first try that succeeds, up to full', async () => {
    const sending = process()
    const { permits } = sending
    permits.takeRetry(DOMAIN)
    await send(sending, 'ok')
    expect(quotaOf(permits)).toBe(487)
    for (let more = 0; more < 20; more += 1) await send(sending, 'ok')
    expect(quotaOf(permits)).toBe(fullQuota)
  })

  it('is not touched by what was refused or stopped: that is sent again at no cost', async () => {
    const sending = process()
    const { permits } = sending
    permits.takeRetry(DOMAIN)
    await send(sending, 'cancelled', 2)
    await send(sending, 'throttled', 2)
    expect(quotaOf(permits)).toBe(486)
    await sending.domain.clock.pass(60_000)
    await send(sending, 'ok', 2)
    expect(quotaOf(permits)).toBe(500)
  })

  it('is one per domain', () => {
    const { permits } = process()
    while (permits.takeRetry(DOMAIN));
    expect(permits.takeRetry('example.com')).toBe(true)
  })
})

describe('B18 an empty quota', () => {
  it('refuses to pay, and never an attempt to send: repeats go out as first tries do', async () => {
    const sending = process()
    const { domain, permits } = sending
    let paid = 0
    while (permits.takeRetry(DOMAIN)) paid += 1
    expect(paid).toBe(Math.floor(fullQuota / COST))
    // What was paid for fails, so nothing comes back of it.
    for (let repeat = 0; repeat < paid; repeat += 1) await send(sending, 'neutral', 2)
    const before = quotaOf(permits) ?? 0
    await send(sending, 'ok', 2)
    expect(quotaOf(permits)).toBe(before + 1)
    // Reported within two seconds, whatever is sent.
    await domain.clock.pass(2_500)
    expect((await domain.snapshot())?.retries).toBe(paid + 1)
  })

  it('is filled by successes, so repeats are paid for again without a restart', async () => {
    const sending = process()
    while (sending.permits.takeRetry(DOMAIN));
    for (let success = 0; success < COST; success += 1) await send(sending, 'ok')
    expect(sending.permits.takeRetry(DOMAIN)).toBe(true)
  })

  it('does not grow by repeats that another process sends', async () => {
    const sending = process()
    for (let repeat = 0; repeat < 40; repeat += 1) await send(sending, 'ok', 2)
    expect(quotaOf(sending.permits)).toBe(fullQuota)
  })
})
