/** The limiter workflow on a real Temporal server. Rates are bounded from above only: no test depends on speed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowUpdateFailedError } from '@temporalio/client'
import { Worker } from '@temporalio/worker'
import { describe, expect, inject, it } from 'vitest'
import { STEP_VERSION } from '../../../src/core/limiter/limiter-state.ts'
import { defaultPolicy } from '../../../src/core/limiter/policy.ts'
import { limiterId } from '../../../src/core/workflow-ids.ts'
import {
  pauseDomainSignal,
  refusedSignal,
  resetDomainSignal,
  resumeDomainSignal,
  setPolicySignal,
  snapshotQuery,
} from '../../../src/workflows/messages.ts'
import { reportFor } from '../../support/lease-report.ts'
import { granted, startLimiterBench, type LimiterBench } from './limiter-bench.ts'

async function runIdOf(limiter: LimiterBench): Promise<string> {
  return (await limiter.handle.describe()).runId
}

/** Lets the limiter begin a new run, as many messages would. */
async function continueAsNew(limiter: LimiterBench): Promise<void> {
  const before = await runIdOf(limiter)
  while ((await runIdOf(limiter)) === before) await limiter.acquire({ worker: 'idler', wants: [] })
}

const away = () => Promise.reject(new Error('no database'))

/** A new run after so few messages that a test can force it. */
const soonFull = { renewAfter: { updates: 6, signals: 100, events: 10_000 } }

describe('a lease', () => {
  it('of a dead process is free again when it has expired, and not before', async () => {
    // Four permits, two seconds long.
    const limiter = await startLimiterBench({ policy: { maxRps: 2 } })
    const dead = await granted(limiter, 'dead')
    const sinceMs = performance.now()
    expect((await limiter.acquire({ worker: 'heir' })).granted).toBe(false)
    await granted(limiter, 'heir')
    expect(performance.now() - sinceMs).toBeGreaterThan(dead.ttlMs - 1000)
  })

  it('and its reports outlive the process that hosts the limiter', async () => {
    const limiter = await startLimiterBench()
    const lease = await granted(limiter, 'a')
    const reports = [reportFor(lease, { sent: 3, ok: 3, cost: 3, unused: 2 })]
    await limiter.acquire({ worker: 'a', wants: [], reports })
    await limiter.stopWorker()
    await limiter.startWorker()
    await limiter.acquire({ worker: 'a', wants: [], reports })
    expect(await limiter.handle.query(snapshotQuery)).toMatchObject({ totalRequests: 3 })
  })
})

describe('continue-as-new', () => {
  it('case 5: the same update id before and after it brings the same lease, once', async () => {
    const limiter = await startLimiterBench({ startWith: soonFull, policy: { maxRps: 0.02 } })
    const lease = await granted(limiter, 'a')
    const { events } = await limiter.handle.fetchHistory()
    const ids = (events ?? []).flatMap(
      (event) => event.workflowExecutionUpdateAcceptedEventAttributes?.protocolInstanceId ?? [],
    )
    const requestId = ids.at(-1) ?? ''
    await continueAsNew(limiter)
    const { leaseId, epoch, permits, firstDelayMs, spacingMs, ttlMs } = lease
    const same = { granted: true, leaseId, epoch, permits, firstDelayMs, spacingMs, ttlMs }
    expect(await limiter.acquire({ worker: 'a', requestId })).toMatchObject(same)
  })

  it('counts a report once that is sent before and after it', async () => {
    const limiter = await startLimiterBench({ startWith: soonFull })
    const lease = await granted(limiter, 'a')
    const reports = [reportFor(lease, { sent: 4, ok: 4, cost: 4, unused: 1 })]
    await limiter.acquire({ worker: 'a', wants: [], reports })
    await continueAsNew(limiter)
    await limiter.acquire({ worker: 'a', wants: [], reports })
    expect(await limiter.handle.query(snapshotQuery)).toMatchObject({ totalRequests: 4 })
  })

  it('keeps everybody waiting who was told to wait', async () => {
    const limiter = await startLimiterBench({ startWith: soonFull })
    const { leaseId, epoch } = await granted(limiter, 'a')
    const notice = { leaseId, epoch, agoMs: 0, retryAfterMs: 1_800_000, reports: [] }
    await limiter.handle.signal(refusedSignal, notice)
    await continueAsNew(limiter)
    const reply = await limiter.acquire({ worker: 'b' })
    expect(reply).toMatchObject({ granted: false, reason: 'retry_after', revoked: true })
    expect(limiter.saved.get(limiter.domain)?.snapshot.hold).toBe('retry_after')
  })
})

it('case 10: thirty callers at once are all answered', async () => {
  const limiter = await startLimiterBench()
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, caller) => limiter.acquire({ worker: `w${caller}` })),
  )
  expect(replies).toHaveLength(30)
  await granted(limiter, 'w0')
})

describe('case 12: a message that makes no sense', () => {
  it('never wedges the workflow: signals are dropped, updates are refused with the reason', async () => {
    const limiter = await startLimiterBench()
    await granted(limiter, 'a')
    const handle = limiter.handle
    for (const garbage of [
      null,
      7,
      'x',
      {},
      { leaseId: '', epoch: -1 },
      { leaseId: 'x', epoch: 'y' },
    ]) {
      await handle.signal('refused', garbage)
      await handle.signal('pauseDomain', garbage)
    }
    await expect(handle.executeUpdate('acquire', { args: [{ worker: 5 }] })).rejects.toThrow(
      WorkflowUpdateFailedError,
    )
    await expect(handle.executeUpdate('release', { args: [null] })).rejects.toThrow(
      WorkflowUpdateFailedError,
    )
    expect(await limiter.acquire({ worker: 'a', wants: [] })).toMatchObject({
      reason: 'nothing_wanted',
    })
    expect((await limiter.eventsOfRuns()).flat()).not.toContain('workflowTaskFailed')
  })

  it('nor does a saved state that breaks `step`: it starts afresh', async () => {
    const broken = { stepVersion: STEP_VERSION, wallMs: 0, clockMs: 0, epoch: 0, pauseUntilMs: 0 }
    const limiter = await startLimiterBench({
      activities: {
        saveLimiterState: () => Promise.resolve(),
        loadLimiterState: (domain, policy) =>
          Promise.resolve({
            state: { ...broken, domain, workers: { a: null }, ended: [] },
            policy,
            pausedBecause: null,
          }),
      },
    })
    expect((await granted(limiter, 'a')).permits).toBe(5)
  })
})

describe('a limiter', () => {
  it('that is idle saves what it knows and completes; the next one goes on from there', async () => {
    const limiter = await startLimiterBench({ policy: { domainStateTtlMs: 300 } })
    const { leaseId, epoch } = await granted(limiter, 'a')
    const notice = { leaseId, epoch, agoMs: 0, retryAfterMs: 1_800_000, reports: [] }
    await limiter.handle.signal(refusedSignal, notice)
    await limiter.handle.result()
    const replies = []
    for (let tries = 0; tries < 10 && replies.at(-1) !== 'retry_after'; tries += 1) {
      const reply = await limiter.acquire({ worker: 'b' })
      expect(reply.granted).toBe(false)
      if (!reply.granted) replies.push(reply.reason)
      await sleep(50)
    }
    expect(replies.at(-1)).toBe('retry_after')
  })

  it('whose database is away grants all the same', async () => {
    const limiter = await startLimiterBench({
      policy: { domainStateTtlMs: 300 },
      activities: { saveLimiterState: away, loadLimiterState: away },
    })
    expect((await granted(limiter, 'a')).permits).toBe(5)
    await limiter.handle.result()
  })

  it('pauses and resumes by hand', async () => {
    const limiter = await startLimiterBench()
    await granted(limiter, 'a')
    await limiter.handle.signal(pauseDomainSignal, { reason: 'maintenance' })
    expect(await limiter.acquire({ worker: 'a' })).toMatchObject({
      reason: 'paused',
      revoked: true,
    })
    const snapshot = await limiter.handle.query(snapshotQuery)
    expect(snapshot).toMatchObject({ hold: 'paused', pausedBecause: 'maintenance' })
    await limiter.handle.signal(resumeDomainSignal)
    await granted(limiter, 'a')
  })

  it('takes another policy by hand and keeps it when it begins a new run', async () => {
    const limiter = await startLimiterBench({ startWith: soonFull })
    await granted(limiter, 'a')
    const policy = { ...defaultPolicy(limiter.domain), strategy: 'fixed', maxRps: 3 } as const
    await limiter.handle.signal(setPolicySignal, { policy })
    expect(await limiter.handle.query(snapshotQuery)).toMatchObject({ fillRate: 3 })
    await continueAsNew(limiter)
    expect(await limiter.handle.query(snapshotQuery)).toMatchObject({ fillRate: 3 })
  })

  it('forgets by hand what the server told it', async () => {
    const limiter = await startLimiterBench()
    const { leaseId, epoch } = await granted(limiter, 'a')
    const notice = { leaseId, epoch, agoMs: 0, retryAfterMs: 1_800_000, reports: [] }
    await limiter.handle.signal(refusedSignal, notice)
    expect(await limiter.acquire({ worker: 'a' })).toMatchObject({ reason: 'retry_after' })
    await limiter.handle.signal(resetDomainSignal)
    await granted(limiter, 'a')
  })

  it('starts with what was set and paused by command while there was none', async () => {
    const limiter = await startLimiterBench({
      activities: {
        saveLimiterState: () => Promise.resolve(),
        loadLimiterState: (_, policy) =>
          Promise.resolve({
            state: null,
            policy: { ...policy, maxRps: 3 },
            pausedBecause: 'maintenance',
          }),
      },
    })
    const reasons: unknown[] = []
    while (reasons.at(-1) !== 'paused') {
      const reply = await limiter.acquire({ worker: 'a' })
      expect(reply.granted).toBe(false)
      reasons.push(reply.granted ? undefined : reply.reason)
    }
    const snapshot = await limiter.handle.query(snapshotQuery)
    expect(snapshot).toMatchObject({ fillRate: 3, pausedBecause: 'maintenance' })
  })

  it('counts what a refusal reports once, though the next message tells it again', async () => {
    const limiter = await startLimiterBench()
    const lease = await granted(limiter, 'a')
    const { leaseId, epoch } = lease
    const reports = [reportFor(lease, { sent: 4, ok: 3, throttled: 1, cost: 4, throttledAgoMs: 0 })]
    const notice = { leaseId, epoch, agoMs: 0, retryAfterMs: null, reports }
    await limiter.handle.signal(refusedSignal, notice)
    await limiter.acquire({ worker: 'a', wants: [], reports })
    expect(await limiter.handle.query(snapshotQuery)).toMatchObject({
      totalRequests: 4,
      refusedRequests: 1,
    })
  })

  it('says in the Temporal UI what it is and what it does', async () => {
    const limiter = await startLimiterBench()
    const permits = limiter.broker('a')
    const { domain } = limiter
    const signal = new AbortController().signal
    const permit = await permits.acquire({ domain, project: '1', signal })
    permit.report({ kind: 'ok', latencyMs: 10 })
    const description = await limiter.handle.describe()
    expect(await description.staticSummary()).toBe(`Requests to ${domain}`)
  })

  it('case 19: replays its history, the run that continued as new included', async () => {
    const limiter = await startLimiterBench({ startWith: soonFull })
    const lease = await granted(limiter, 'a')
    const notice = {
      leaseId: lease.leaseId,
      epoch: lease.epoch,
      agoMs: 0,
      retryAfterMs: null,
      reports: [],
    }
    await limiter.handle.signal(refusedSignal, notice)
    const first = await runIdOf(limiter)
    await continueAsNew(limiter)
    for (const runId of [first, await runIdOf(limiter)]) {
      const history = await limiter.client.workflow
        .getHandle(limiterId(limiter.domain), runId)
        .fetchHistory()
      const workflowBundle = { codePath: inject('workflowBundlePath') }
      const replay = Worker.runReplayHistory({ workflowBundle }, history, limiterId(limiter.domain))
      await expect(replay).resolves.toBeUndefined()
    }
  })
})
