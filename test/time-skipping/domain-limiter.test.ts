/** Waits of a limiter that take hours, on a server whose clock skips them. One scenario per server. */
import { randomUUID } from 'node:crypto'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { defaultPolicy } from '../../src/core/limiter/policy.ts'
import type { AcquireReply, LeaseGrant } from '../../src/core/limiter/protocol.ts'
import type { LimiterStateActivities, SavedLimiter } from '../../src/core/limiter/saved-state.ts'
import { limiterId } from '../../src/core/workflow-ids.ts'
import { OutsideCallError } from '../../src/errors.ts'
import type { LimiterChannel } from '../../src/limiter/limiter-channel.ts'
import { createPermitBroker } from '../../src/limiter/permit-broker.ts'
import { createTemporalChannel } from '../../src/limiter/temporal-channel.ts'
import { snapshotQuery } from '../../src/workflows/messages.ts'
import { startSkippingClock } from '../support/skipping-clock.ts'

const HOUR_MS = 3_600_000
const domain = 'example.org'
const taskQueue = 'limiter'
const policyFor = () => ({ ...defaultPolicy(domain), maxRps: 10, maxInFlight: 4 })

let env: TestWorkflowEnvironment
let worker: Worker
let running: Promise<void>
let limiter: LimiterChannel
let saved: SavedLimiter[]

const store: LimiterStateActivities = {
  async saveLimiterState(state) {
    saved.push(state)
  },
  loadLimiterState: () => Promise.resolve(saved.at(-1)?.state ?? null),
}

beforeEach(async () => {
  saved = []
  env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: inject('timeSkippingServerPath') } },
  })
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

function ask(): Promise<AcquireReply> {
  const wants = [{ project: '1', permits: 5 }]
  const requestId = randomUUID()
  return limiter.acquire(domain, { worker: 'a', requestId, wants, inFlight: 0, reports: [] })
}

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
  limiter.refused(domain, { leaseId, epoch, agoMs: 0, retryAfterMs })

const statusOf = async () =>
  (await env.client.workflow.getHandle(limiterId(domain)).describe()).status.name

it('a wait of an hour is obeyed over its whole length, though the limiter goes idle in it', async () => {
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

it('ten minutes without a message are the end of a limiter, nine are not', async () => {
  await leased()
  await env.sleep('9 minutes')
  expect(await statusOf()).toBe('RUNNING')
  await ask()
  await env.sleep('9 minutes')
  expect(await statusOf()).toBe('RUNNING')
  await env.sleep('2 minutes')
  expect(await statusOf()).toBe('COMPLETED')
  expect(saved).toHaveLength(1)
})

it('a caller whose server asks for three hours is told so at once, and served after them', async () => {
  const clock = await startSkippingClock(env)
  const log = { info: () => undefined, warn: () => undefined }
  const client = env.client
  const permits = createPermitBroker({ client, worker: 'a', policyFor, log, taskQueue, clock })
  const request = { domain, project: '1', signal: new AbortController().signal }
  const refusals: number[] = []
  /** As an activity that is retried when it was told to be. */
  const permitAfterWaits = async () => {
    for (;;) {
      try {
        return await permits.acquire(request)
      } catch (error) {
        if (!(error instanceof OutsideCallError)) throw error
        refusals.push(error.retryAfterMs ?? 0)
        await env.sleep(error.retryAfterMs ?? 0)
      }
    }
  }
  const first = await permitAfterWaits()
  const refusedAtMs = await env.currentTimeMs()
  first.report({ kind: 'throttled', retryAfterMs: 3 * HOUR_MS })
  const second = await permitAfterWaits()
  // The policy asks a server again after an hour, whatever it said.
  const waitedMs = (await env.currentTimeMs()) - refusedAtMs
  expect(waitedMs).toBeGreaterThan(HOUR_MS - 1000)
  expect(Math.max(...refusals)).toBeGreaterThan(HOUR_MS - 1000)
  second.report({ kind: 'ok', latencyMs: 20 })
  await permits.close()
  clock.stop()
  const handle = env.client.workflow.getHandle(limiterId(domain))
  expect(await handle.query(snapshotQuery)).toMatchObject({ throttledRequests: 1, hold: null })
})
