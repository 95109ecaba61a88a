/** What a refusal by the server (429 and its like) does to everybody. */
import { describe, expect, it } from 'vitest'
import { snapshotOf } from '../../../../src/core/limiter/snapshot.ts'
import { LimiterAt, reportFor } from './limiter-at.ts'

const refusedAfter = (retryAfterMs: number | null, random = 0) => {
  const limiter = new LimiterAt({ maxRps: 10 })
  const lease = limiter.granted('a', 20)
  const notice = { leaseId: lease.leaseId, epoch: lease.epoch, agoMs: 0, retryAfterMs }
  limiter.send({ kind: 'refused', notice }, random)
  return { limiter, lease, notice }
}

describe('a refusal with Retry-After', () => {
  it('is obeyed by everybody, and what they hold is void', () => {
    const { limiter } = refusedAfter(120_000)
    for (const worker of ['a', 'b']) {
      expect(limiter.acquire(worker, 5)).toMatchObject({
        granted: false,
        reason: 'retry_after',
        askAgainMs: 120_000,
        revoked: true,
      })
    }
    limiter.nowMs += 119_999
    expect(limiter.acquire('b', 5)).toMatchObject({ reason: 'retry_after', askAgainMs: 1 })
    limiter.nowMs += 1
    expect(limiter.acquire('b', 5).granted).toBe(true)
  })

  it('resumes at half the rate for one slot', () => {
    const { limiter } = refusedAfter(5000)
    limiter.nowMs += 5000
    expect(limiter.granted('b', 100).spacingMs).toBe(200)
    limiter.nowMs += 1000
    limiter.granted('b', 100)
    limiter.nowMs += 2000
    expect(limiter.granted('b', 100).spacingMs).toBe(100)
  })

  it('case B1: is one event for all requests that were on their way', () => {
    const { limiter, lease, notice } = refusedAfter(null)
    for (let more = 0; more < 7; more += 1) limiter.send({ kind: 'refused', notice })
    limiter.acquire('a', 0, { reports: [reportFor(lease, { throttled: 8, throttledAgoMs: 10 })] })
    expect(limiter.state).toMatchObject({ streak: 1, epoch: 1 })
    expect(limiter.state.totals.throttled).toBe(8)
  })

  it('waits longer when an older request was asked to wait longer', () => {
    const { limiter, notice } = refusedAfter(2000)
    limiter.send({ kind: 'refused', notice: { ...notice, retryAfterMs: 9000 } })
    expect(limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 9000 })
  })

  it('counts from when the server said it', () => {
    const { limiter, notice } = refusedAfter(2000)
    limiter.nowMs += 500
    limiter.send({ kind: 'refused', notice: { ...notice, retryAfterMs: 3000, agoMs: 400 } })
    expect(limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 2600 })
  })

  it('is spread by chance over at most a second', () => {
    const { limiter } = refusedAfter(120_000, 0.5)
    expect(limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 120_500 })
  })

  it('of ten years is obeyed hour by hour, and shown', () => {
    const { limiter } = refusedAfter(315_360_000_000)
    expect(limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 3_600_000 })
    expect(snapshotOf(limiter.state).parkedForMs).toBe(315_360_000_000)
    limiter.nowMs += 3_600_000
    expect(limiter.acquire('b', 1).granted).toBe(true)
    expect(snapshotOf(limiter.state).parkedForMs).toBeNull()
  })

  it('that is missing waits 1, 2, 4 s and more, until something succeeds', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const waits = Array.from({ length: 8 }, () => {
      const lease = limiter.granted('a', 20)
      const notice = { leaseId: lease.leaseId, epoch: lease.epoch, agoMs: 0, retryAfterMs: null }
      limiter.send({ kind: 'refused', notice }, 1)
      const reply = limiter.acquire('a', 1)
      const waitMs = reply.granted ? 0 : reply.askAgainMs
      limiter.nowMs += waitMs + 10_000
      return waitMs
    })
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    const lease = limiter.granted('a', 20)
    limiter.acquire('a', 0, { reports: [reportFor(lease, { ok: 1 })] })
    expect(limiter.state.streak).toBe(0)
  })
})
