/** Messages that come while a limiter waits for its database. */
import { expect, it, vi } from 'vitest'
import type { LoadedLimiter, SavedLimiter } from '../../../src/core/limiter/saved-state.ts'
import { resumeDomainSignal } from '../../../src/workflows/messages.ts'
import { granted, startLimiterBench } from './limiter-bench.ts'

it('what an operator says while a limiter starts is newer than what it loads', async () => {
  let loaded: () => void = () => undefined
  const loading = new Promise<void>((resolve) => (loaded = resolve))
  const limiter = await startLimiterBench({
    activities: {
      saveLimiterState: () => Promise.resolve(),
      async loadLimiterState(_, policy): Promise<LoadedLimiter> {
        await loading
        return { state: null, policy, pausedBecause: 'maintenance' }
      },
    },
  })
  try {
    expect(await limiter.acquire({ worker: 'a' })).toMatchObject({ reason: 'starting' })
    await limiter.handle.signal(resumeDomainSignal)
    // Answered after the signal, since messages are served in order.
    expect(await limiter.acquire({ worker: 'a' })).toMatchObject({ reason: 'starting' })
    loaded()
    let reply = await limiter.acquire({ worker: 'a' })
    while (!reply.granted && reply.reason === 'starting') {
      reply = await limiter.acquire({ worker: 'a' })
    }
    expect(reply.granted).toBe(true)
  } finally {
    loaded()
  }
})

it('a lease granted while an idle limiter is being saved is not lost', async () => {
  let stored: () => void = () => undefined
  const storing = new Promise<void>((resolve) => (stored = resolve))
  const saved: SavedLimiter[] = []
  // One permit lasts twenty seconds, so its lease outlives this test.
  const limiter = await startLimiterBench({
    policy: { maxRps: 0.05, domainStateTtlMs: 300 },
    activities: {
      async saveLimiterState(state) {
        saved.push(state)
        await storing
      },
      loadLimiterState: (_, policy): Promise<LoadedLimiter> =>
        Promise.resolve({ state: saved.at(-1)?.state ?? null, policy, pausedBecause: null }),
    },
  })
  try {
    await limiter.acquire({ worker: 'early', wants: [] })
    await vi.waitUntil(() => saved.length > 0, { timeout: 30_000 })
    await granted(limiter, 'a')
    stored()
    const handle = limiter.handle
    await handle.result()
    expect(saved.length).toBeGreaterThan(1)
    expect(await limiter.acquire({ worker: 'other' })).toMatchObject({ granted: false })
    expect(saved.at(-1)?.state.workers['a']?.leases).toHaveLength(1)
  } finally {
    stored()
  }
})
