/** Waits of a limiter that take hours, on a server whose clock skips them. One scenario per server. */
import { randomUUID } from 'node:crypto'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { defaultPolicy, type DomainPolicy } from '../../src/core/limiter/policy.ts'
import type {
  AcquireReply,
  AcquireRequest,
  LeaseGrant,
  LeaseReport,
} from '../../src/core/limiter/protocol.ts'
import type { LimiterStateActivities, SavedLimiter } from '../../src/core/limiter/saved-state.ts'
import { limiterId } from '../../src/core/workflow-ids.ts'
import { OutsideCallError } from '../../src/errors.ts'
import type { LimiterChannel } from '../../src/limiter/limiter-channel.ts'
import { createPermitBroker } from '../../src/limiter/permit-broker.ts'
import { createTemporalChannel } from '../../src/limiter/temporal-channel.ts'
import { resumeDomainSignal, snapshotQuery } from '../../src/workflows/messages.ts'
import { reportFor } from '../support/lease-report.ts'
import { startSkippingClock } from '../support/skipping-clock.ts'
import { startTimeSkippingEnv } from '../support/time-skipping-env.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const domain = 'example.org'
const taskQueue = 'limiter'
const usual: DomainPolicy = {
  ...defaultPolicy(domain),
  strategy: 'fixed',
  initialRps: 10,
  maxRps: 10,
  maxInFlight: 4,
}
let policy: DomainPolicy
const policyFor = (): DomainPolicy => policy

let env: TestWorkflowEnvironment
let worker: Worker
let running: Promise<void>
let limiter: LimiterChannel
let saved: SavedLimiter[]

const store: LimiterStateActivities = {
  async saveLimiterState(state) {
    saved.push(state)
  },
  loadLimiterState: (_, starters) =>
    Promise.resolve({
      state: saved.at(-1)?.state ?? null,
      policy: starters,
      pausedBecause: null,
    }),
}

beforeEach(async () => {
  saved = []
  policy = usual
  env = await startTimeSkippingEnv()
  worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    workflowBundle: { codePath: inject('workflowBundlePath') },
    activities: store,
  })
  running = worker.run()
  limiter = createTemporalChannel({ client: env.client, taskQueue, policyFor })
})
afterEach(async () => {
  worker.shutdown()
  await running
  await env.teardown()
})

function ask(changes: Partial<AcquireRequest> = {}): Promise<AcquireReply> {
  const wants = [{ project: '1', permits: 5 }]
  const requestId = randomUUID()
  const request = { worker: 'a', requestId, wants, inFlight: 0, reports: [], ...changes }
  return limiter.acquire(domain, request)
}

const allAnswered = (lease: LeaseGrant): LeaseReport => reportFor(lease, { ok: lease.permits })

/** The first answer may be that the limiter is still reading what was saved. */
async function answered(): Promise<AcquireReply> {
  for (;;) {
    const reply = await ask()
    if (reply.granted || reply.reason !== 'starting') return reply
  }
}

async function leased(): Promise<LeaseGrant> {
  const reply = await answered()
  if (!reply.granted) throw new Error(`no lease: ${JSON.stringify(reply)}`)
  return reply
}

const refusedFor = ({ leaseId, epoch }: LeaseGrant, retryAfterMs: number) =>
  limiter.refused(domain, { leaseId, epoch, agoMs: 0, retryAfterMs, reports: [] })

const statusOf = async () =>
  (await env.client.workflow.getHandle(limiterId(domain)).describe()).status.name

it('step 7: a wait of an hour is obeyed over its whole length, though the limiter goes idle in it', async () => {
  await refusedFor(await leased(), HOUR_MS)
  await env.sleep('15 minutes')
  expect(await statusOf()).toBe('COMPLETED')
  expect(saved.at(-1)?.snapshot).toMatchObject({ domain, hold: 'retry_after' })

  expect(await answered()).toMatchObject({ granted: false, reason: 'retry_after', revoked: true })
  await env.sleep('44 minutes')
  const almost = await answered()
  expect(almost).toMatchObject({ granted: false, reason: 'retry_after' })
  await env.sleep('2 minutes')
  expect((await leased()).spacingMs).toBeCloseTo(100)
})

it('step 8: a domain nobody asks is forgotten by its limiter, one that is in use is not', async () => {
  const inUse = 'busy.example.org'
  const statusOfBusy = async () =>
    (await env.client.workflow.getHandle(limiterId(inUse)).describe()).status.name
  const wants = [{ project: '1', permits: 5 }]
  const askBusy = () => {
    const request = { worker: 'a', requestId: randomUUID(), wants, inFlight: 0, reports: [] }
    return limiter.acquire(inUse, request)
  }
  await leased()
  await askBusy()
  for (let minutes = 0; minutes < 30; minutes += 5) {
    await env.sleep('5 minutes')
    await askBusy()
  }
  expect(await statusOf()).toBe('COMPLETED')
  expect(await statusOfBusy()).toBe('RUNNING')
  expect(saved.map((each) => each.domain)).toEqual([domain])
  expect(await askBusy()).toMatchObject({ granted: true })
})

it('case B26: ten minutes without a message are the end of a limiter, nine are not', async () => {
  const lease = await leased()
  await env.sleep('9 minutes')
  expect(await statusOf()).toBe('RUNNING')
  await ask()
  await env.sleep('9 minutes')
  expect(await statusOf()).toBe('RUNNING')
  // A signal is a message too.
  await refusedFor(lease, 1000)
  await env.sleep('9 minutes')
  expect(await statusOf()).toBe('RUNNING')
  await env.sleep('2 minutes')
  expect(await statusOf()).toBe('COMPLETED')
  expect(saved).toHaveLength(1)
})

it('a wait of five hours is obeyed to the end, and shown as parked', async () => {
  await refusedFor(await leased(), 5 * HOUR_MS)
  const parked = await env.client.workflow.getHandle(limiterId(domain)).query(snapshotQuery)
  expect(parked.hold).toBe('retry_after')
  expect(parked.parkedForMs).toBeGreaterThan(4.9 * HOUR_MS)
  for (let hour = 1; hour < 5; hour += 1) {
    await env.sleep(HOUR_MS)
    const reply = await answered()
    expect(reply).toMatchObject({ granted: false, reason: 'retry_after' })
    expect(reply.granted ? 0 : reply.askAgainMs).toBeGreaterThan((4.9 - hour) * HOUR_MS)
  }
  // The wait is lengthened by chance, a second at most.
  await env.sleep(HOUR_MS + 2000)
  await leased()
})

it('the rate that was learned outlives a limiter that goes idle', async () => {
  policy = { ...usual, strategy: 'adaptive', initialRps: 10, maxRps: 200 }
  const handle = env.client.workflow.getHandle(limiterId(domain))
  await leased()
  const rate = async () => (await handle.query(snapshotQuery)).fillRate
  /** One slot of a process that uses all it gets and is always answered. */
  let reports: LeaseReport[] = []
  for (let slots = 0; slots < 30 && (await rate()) < 40; slots += 1) {
    const reply = await ask({ wants: [{ project: '1', permits: 1000 }], reports })
    reports = reply.granted ? [allAnswered(reply)] : []
    await env.sleep('2 seconds')
  }
  const learned = await rate()
  expect(learned).toBeGreaterThanOrEqual(40)
  await env.sleep('15 minutes')
  expect(await statusOf()).toBe('COMPLETED')
  expect(saved.at(-1)?.snapshot.fillRate).toBe(learned)

  expect((await leased()).spacingMs).toBeCloseTo(1000 / learned)
  expect(await rate()).toBe(learned)
})

it('step 5: a server that answers only 503 is left alone, probed now and then, and served again by itself', async () => {
  const clock = await startSkippingClock(env)
  const log = { info: () => undefined, warn: () => undefined }
  const client = env.client
  const permits = createPermitBroker({ client, worker: 'a', policyFor, log, taskQueue, clock })
  const handle = env.client.workflow.getHandle(limiterId(domain))
  const request = { domain, project: '1', signal: new AbortController().signal }
  const startMs = await env.currentTimeMs()
  const backMs = startMs + 10 * MINUTE_MS
  const sentMs: number[] = []
  const states = new Set<string>()
  while (sentMs.filter((atMs) => atMs >= backMs).length < 30) {
    try {
      const permit = await permits.acquire(request)
      const nowMs = await env.currentTimeMs()
      sentMs.push(nowMs)
      permit.report(nowMs < backMs ? { kind: 'overload' } : { kind: 'ok', latencyMs: 20 })
    } catch (error) {
      if (!(error instanceof OutsideCallError)) throw error
      states.add((await handle.query(snapshotQuery)).state)
      await env.sleep(error.retryAfterMs ?? 0)
    }
  }
  await permits.close()
  await clock.stop()
  const snapshot = await handle.query(snapshotQuery)
  expect(snapshot).toMatchObject({ state: 'closed', hold: null, consecutiveFails: 0 })
  expect(states).toContain('open')
  // Ten failures in a row and what was on its way, then a few probes each time, ever more rarely.
  const firstMinute = sentMs.filter((atMs) => atMs < startMs + MINUTE_MS)
  const later = sentMs.filter((atMs) => atMs >= startMs + MINUTE_MS && atMs < backMs)
  expect(firstMinute.length).toBeLessThan(60)
  expect(later.length).toBeGreaterThan(0)
  expect(later.length).toBeLessThanOrEqual(120)
  // The breaker stays open for at most twenty seconds, and whoever is turned away looks again within a minute.
  const againMs = sentMs.find((atMs) => atMs >= backMs) ?? Infinity
  expect(againMs - backMs).toBeLessThan(2 * MINUTE_MS)
})

it('a caller whose server asks for three hours looks again every minute, and is served after them', async () => {
  const clock = await startSkippingClock(env)
  const log = { info: () => undefined, warn: () => undefined }
  const client = env.client
  const permits = createPermitBroker({ client, worker: 'a', policyFor, log, taskQueue, clock })
  const request = { domain, project: '1', signal: new AbortController().signal }
  const refusals: OutsideCallError[] = []
  /** As an activity that is retried when it was told to be. */
  const permitAfterWaits = async () => {
    for (;;) {
      try {
        return await permits.acquire(request)
      } catch (error) {
        if (!(error instanceof OutsideCallError)) throw error
        refusals.push(error)
        await env.sleep(error.retryAfterMs ?? 0)
      }
    }
  }
  const first = await permitAfterWaits()
  const refusedAtMs = await env.currentTimeMs()
  refusals.length = 0
  first.report({ kind: 'throttled', retryAfterMs: 3 * HOUR_MS })
  const second = await permitAfterWaits()
  const waitedMs = (await env.currentTimeMs()) - refusedAtMs
  expect(waitedMs).toBeGreaterThan(3 * HOUR_MS - 1000)
  // The broker's clock lags behind one that skips.
  expect(waitedMs).toBeLessThan(3 * HOUR_MS + 10 * MINUTE_MS)
  expect(refusals[0]?.message).toContain('expected in about 3 h')
  const delaysMs = refusals.map(({ retryAfterMs }) => retryAfterMs ?? 0)
  expect(Math.max(...delaysMs)).toBeLessThan(MINUTE_MS)
  second.report({ kind: 'ok', latencyMs: 20 })
  await permits.close()
  await clock.stop()
  const handle = env.client.workflow.getHandle(limiterId(domain))
  expect(await handle.query(snapshotQuery)).toMatchObject({ refusedRequests: 1, hold: null })
})

it('case R13: ten years are obeyed day by day with one request a day, and an operator ends them', async () => {
  const TEN_YEARS_MS = 315_360_000_000
  await refusedFor(await leased(), TEN_YEARS_MS)
  for (let day = 1; day <= 2; day += 1) {
    await env.sleep('23 hours')
    expect(await answered()).toMatchObject({ granted: false, reason: 'retry_after' })
    await env.sleep('61 minutes')
    const probe = await leased()
    expect(probe.permits).toBe(1)
    expect(await ask({ worker: 'b' })).toMatchObject({ granted: false, reason: 'trickle' })
    await refusedFor(probe, TEN_YEARS_MS)
  }
  expect(await answered()).toMatchObject({ granted: false, reason: 'retry_after' })
  const handle = env.client.workflow.getHandle(limiterId(domain))
  expect((await handle.query(snapshotQuery)).parkedForMs).toBeGreaterThan(23 * HOUR_MS)
  await handle.signal(resumeDomainSignal)
  await leased()
  expect((await handle.query(snapshotQuery)).parkedForMs).toBeNull()
})
