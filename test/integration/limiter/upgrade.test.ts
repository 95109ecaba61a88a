/** Limiters that meet messages and states of another version: nothing of it stops them. */
import { describe, expect, it } from 'vitest'
import { initialState, STEP_VERSION } from '../../../src/core/limiter/limiter-state.ts'
import { defaultPolicy } from '../../../src/core/limiter/policy.ts'
import type { ReleaseRequest } from '../../../src/core/limiter/protocol.ts'
import { releaseUpdate } from '../../../src/workflows/messages.ts'
import { reportFor } from '../../support/lease-report.ts'
import { granted, startLimiterBench } from './limiter-bench.ts'

describe('an upgrade', () => {
  it.each([
    ['nothing', () => null],
    ['the bare state', () => ({ stepVersion: STEP_VERSION - 1, domain: 'other.org' })],
    ['an object without a policy', () => ({ state: null })],
  ])('whose activities are older and load %s wedges nothing', async (_, older) => {
    const limiter = await startLimiterBench({
      activities: {
        saveLimiterState: () => Promise.resolve(),
        // What such a version answers is not what this one's types say.
        loadLimiterState: () => Promise.resolve(older() as never),
      },
    })
    expect((await granted(limiter, 'a')).permits).toBe(5)
    expect((await limiter.eventsOfRuns()).flat()).not.toContain('workflowTaskFailed')
  })

  it('in the middle of a chain of runs drops what an older run carried over, but not its wait', async () => {
    const now = Date.now()
    const { domain: _, ...shape } = initialState('', defaultPolicy(''), now)
    const startWith = (domain: string) => ({
      stepVersion: STEP_VERSION - 1,
      state: {
        ...shape,
        domain,
        window: undefined,
        stepVersion: STEP_VERSION - 1,
        pauseUntilMs: 2_000,
      },
    })
    const limiter = await startLimiterBench({
      startWithFor: (domain) => startWith(domain) as never,
    })
    expect(await limiter.acquire({ worker: 'a' })).toMatchObject({ reason: 'retry_after' })
    expect((await granted(limiter, 'a')).permits).toBeGreaterThan(0)
    const { events } = await limiter.handle.fetchHistory()
    const kinds = (events ?? []).map(({ activityTaskScheduledEventAttributes: task }) => task)
    expect(kinds.filter(Boolean)).toEqual([])
    expect((await limiter.eventsOfRuns()).flat()).not.toContain('workflowTaskFailed')
  })
})

describe('a release', () => {
  it('brings the figures with everything it reports', async () => {
    const limiter = await startLimiterBench()
    const lease = await granted(limiter, 'a')
    const reports = [reportFor(lease, { sent: 4, ok: 4, cost: 4, unused: 1 })]
    const request = {
      worker: 'a',
      requestId: 'bye',
      leaseIds: [lease.leaseId],
      inFlight: 0,
      reports,
    }
    const release = (args: ReleaseRequest) =>
      limiter.handle.executeUpdate(releaseUpdate, { args: [args], updateId: args.requestId })
    const reply = await release({ ...request, snapshot: true })
    expect(reply?.snapshot).toMatchObject({ totalRequests: 4, inFlight: 0, workers: 0 })
    // As a broker of an older version asks.
    expect(await release({ ...request, requestId: 'again' })).toBeUndefined()
  })
})
