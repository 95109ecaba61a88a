/** Brokers and limiter together on a real Temporal server. Rates are bounded from above only. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import type { LeaseGrant, LeaseReport } from '../../../src/core/limiter/protocol.ts'
import { OutsideCallError } from '../../../src/errors.ts'
import type { PermitBroker } from '../../../src/limiter/permit-broker.ts'
import { reportFor } from '../../support/lease-report.ts'
import { snapshotQuery } from '../../../src/workflows/messages.ts'
import { startLimiterBench } from './limiter-bench.ts'

const BURST = 5_000

/** One request, as an activity makes it: turned away, it comes back when it was told to. @returns When it was sent. */
async function request(permits: PermitBroker, domain: string, project = '1'): Promise<number> {
  for (;;) {
    try {
      const signal = new AbortController().signal
      const permit = await permits.acquire({ domain, project, signal })
      const sentMs = performance.now()
      await sleep(5)
      permit.report({ kind: 'ok', latencyMs: 5 })
      return sentMs
    } catch (error) {
      if (!(error instanceof OutsideCallError && error.code === 'no_permit_soon')) throw error
      await sleep(error.retryAfterMs)
    }
  }
}

it('step 9: many callers of two processes get permits at the set rate', async () => {
  const maxRps = 20
  const limiter = await startLimiterBench({ policy: { maxRps } })
  const processes = [limiter.broker('one'), limiter.broker('two')]
  const sent = await Promise.all(
    processes.flatMap((permits) =>
      Array.from({ length: 60 }, () => request(permits, limiter.domain)),
    ),
  )
  sent.sort((a, b) => a - b)
  // A quarter of a second may be caught up per process, and one permit comes first.
  const burst = 2 * (1 + maxRps / 4)
  for (const [index, fromMs] of sent.entries()) {
    const inFiveSeconds = sent.filter((atMs) => atMs >= fromMs && atMs < fromMs + 5000).length
    expect(inFiveSeconds, `from request ${index}`).toBeLessThanOrEqual(maxRps * 5 + burst)
  }
  await Promise.all(processes.map((permits) => permits.close()))
  expect(await limiter.handle.query(snapshotQuery)).toMatchObject({
    totalRequests: 120,
    inFlight: 0,
    workers: 0,
  })
})

it('case 9: a burst of 5,000 requests is a few batched messages, and no task fails', async () => {
  const limiter = await startLimiterBench({ policy: { maxRps: 1000, maxInFlight: 100 } })
  const permits = limiter.broker('one')
  await Promise.all(Array.from({ length: BURST }, () => request(permits, limiter.domain)))
  await permits.close()
  const events = (await limiter.eventsOfRuns()).flat()
  const messages = events.filter(
    (kind) => kind === 'workflowExecutionUpdateAccepted' || kind === 'workflowExecutionSignaled',
  )
  expect(messages.length).toBeLessThan(BURST / 10)
  expect(events).not.toContain('workflowTaskFailed')
  const { totalRequests } = await limiter.handle.query(snapshotQuery)
  expect(totalRequests).toBeLessThanOrEqual(BURST)
  // On a busy machine a lease may end before its report comes.
  expect(totalRequests).toBeGreaterThan(0.8 * BURST)
})

it('case 10: thirty callers of one process at once all get their turn', async () => {
  const limiter = await startLimiterBench({ policy: { maxRps: 50 } })
  const permits = limiter.broker('one')
  const sent = Array.from({ length: 30 }, () => request(permits, limiter.domain))
  expect(await Promise.all(sent)).toHaveLength(30)
})

it('case 11: limiters that continue as new again and again lose and double nothing', async () => {
  const renewAfter = { updates: 5, signals: 100, events: 10_000 }
  const limiter = await startLimiterBench({ policy: { maxRps: 40 }, startWith: { renewAfter } })
  const processes = ['one', 'two', 'three'].map((name) => limiter.broker(name))
  const sent = await Promise.all(
    processes.flatMap((permits) =>
      Array.from({ length: 80 }, () => request(permits, limiter.domain)),
    ),
  )
  await Promise.all(processes.map((permits) => permits.close()))
  const runs = await limiter.eventsOfRuns()
  expect(runs.length).toBeGreaterThan(2)
  expect(runs.flat()).not.toContain('workflowTaskFailed')
  expect(await limiter.handle.query(snapshotQuery)).toMatchObject({
    totalRequests: sent.length,
    workers: 0,
  })
})

it('case 4: a limiter that completes between any two requests serves every one of them', async () => {
  const limiter = await startLimiterBench({ policy: { maxRps: 50, domainStateTtlMs: 40 } })
  const permits = limiter.broker('one')
  for (let turn = 0; turn < 8; turn += 1) {
    await request(permits, limiter.domain)
    await sleep(20 * turn)
  }
  await permits.close()
  expect(permits.snapshot()).toMatchObject([{ waiting: 0, inFlight: 0 }])
})

it('a limiter that somebody terminates is started again by the next request', async () => {
  const limiter = await startLimiterBench({ policy: { maxRps: 50 } })
  const permits = limiter.broker('one')
  await request(permits, limiter.domain)
  await limiter.handle.terminate('by hand')
  // What it had granted is still good.
  await vi.waitFor(async () => {
    await request(permits, limiter.domain)
    expect((await limiter.handle.describe()).status.name).toBe('RUNNING')
  }, 60_000)
  await permits.close()
  expect(permits.snapshot()).toMatchObject([{ waiting: 0, inFlight: 0 }])
})

it('a refusal by the server stops the other process too', async () => {
  const limiter = await startLimiterBench({ policy: { maxRps: 20 } })
  const [one, two] = [limiter.broker('one'), limiter.broker('two')]
  const signal = new AbortController().signal
  const { domain } = limiter
  const permit = await one.acquire({ domain, project: '1', signal })
  permit.report({ kind: 'throttled', retryAfterMs: 1_800_000 })
  await expect(one.acquire({ domain, project: '1', signal })).rejects.toMatchObject({
    code: 'no_permit_soon',
  })
  const holdForMs = () => two.snapshot()[0]?.holdForMs ?? 0
  while (holdForMs() < 1_000_000) {
    try {
      const other = await two.acquire({ domain, project: '1', signal })
      other.giveBack()
    } catch (error) {
      if (!(error instanceof OutsideCallError)) throw error
    }
    await sleep(100)
  }
  expect(await limiter.handle.query(snapshotQuery)).toMatchObject({ hold: 'retry_after' })
})

it('case B23: twelve processes at once: a run ends long before it has the 2,000 messages the engine allows', async () => {
  const limiter = await startLimiterBench({ policy: { maxRps: 10_000, maxInFlight: 1000 } })
  const names = Array.from({ length: 12 }, (_, index) => `w${index}`)
  // Messages of two runs and a part of a third.
  const ROUNDS = 40
  const leases: LeaseGrant[] = []
  await Promise.all(
    names.map(async (worker) => {
      let reports: LeaseReport[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const reply = await limiter.acquire({ worker, reports })
        reports = reply.granted ? [reportFor(reply, { ok: reply.permits })] : []
        if (reply.granted) leases.push(reply)
      }
      await limiter.acquire({ worker, wants: [], reports })
    }),
  )
  expect(new Set(leases.map(({ leaseId }) => leaseId)).size).toBe(leases.length)
  // A run ends in its first quiet moment; on a busy machine that is after the last of these messages.
  let runs = await limiter.eventsOfRuns()
  while (runs.length === 1) {
    await sleep(100)
    runs = await limiter.eventsOfRuns()
  }
  for (const events of runs) {
    const messages = events.filter((kind) => kind === 'workflowExecutionUpdateAccepted')
    expect(messages.length).toBeLessThan(1_000)
  }
  expect(runs.flat()).not.toContain('workflowTaskFailed')
  const ok = leases.reduce((sum, { permits }) => sum + permits, 0)
  const { totalRequests } = await limiter.handle.query(snapshotQuery)
  expect(totalRequests).toBeLessThanOrEqual(ok)
  // A lease of which not all is reported is remembered while 31 others of that kind end.
  expect(totalRequests).toBeGreaterThan(0.97 * ok)
}, 480_000)
