/** What a refusal by the server (429 and its like) does to everybody. */
import { describe, expect, it } from 'vitest'
import type { DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import { snapshotOf } from '../../../../src/core/limiter/snapshot.ts'
import { reportFor } from '../../../support/lease-report.ts'
import { LimiterAt } from './limiter-at.ts'

const refusedAfter = (retryAfterMs: number | null, random = 0) => {
  const limiter = new LimiterAt({ maxRps: 10 })
  const lease = limiter.granted('a', 20)
  limiter.refused(lease, retryAfterMs, random)
  return { limiter, lease }
}

describe('step 7: a refusal with Retry-After', () => {
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
    const first = limiter.granted('b', 100)
    expect(first).toMatchObject({ permits: 10, spacingMs: 200 })
    limiter.report('b', first, { ok: 1 })
    limiter.nowMs += 1000
    limiter.granted('b', 100)
    limiter.nowMs += 2000
    expect(limiter.granted('b', 100).spacingMs).toBe(100)
  })

  it('of no more than a slot is followed by the whole rate', () => {
    const { limiter } = refusedAfter(1000)
    limiter.nowMs += 1000
    expect(limiter.granted('b', 100)).toMatchObject({ permits: 20, spacingMs: 100 })
  })

  it('case B1: is one event for all requests that were on their way', () => {
    const { limiter, lease } = refusedAfter(null)
    for (let more = 0; more < 7; more += 1) limiter.refused(lease, null)
    limiter.report('a', lease, { throttled: 8, throttledAgoMs: 10 })
    expect(limiter.state).toMatchObject({ streak: 1, epoch: 1 })
    expect(limiter.state.totals.refused).toBe(8)
  })

  it('waits longer when an older request was asked to wait longer', () => {
    const { limiter, lease } = refusedAfter(2000)
    limiter.refused(lease, 9000)
    expect(limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 9000 })
    limiter.refused(lease, 3000)
    expect(limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 9000 })
  })

  it('counts from when the server said it', () => {
    const { limiter, lease } = refusedAfter(2000)
    limiter.nowMs += 500
    limiter.refused(lease, 3000, 0, 400)
    expect(limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 2600 })
  })

  it('is spread by chance over a tenth of it, at most a second', () => {
    expect(refusedAfter(120_000, 0.5).limiter.acquire('b', 1)).toMatchObject({
      askAgainMs: 120_500,
    })
    expect(refusedAfter(4000, 0.5).limiter.acquire('b', 1)).toMatchObject({ askAgainMs: 4200 })
  })

  it.each([
    ['an hour', 3_600_000],
    ['a day', 86_400_000],
  ])('of %s is obeyed to its end', (_, askedMs) => {
    const { limiter } = refusedAfter(askedMs)
    limiter.nowMs += askedMs - 1
    expect(limiter.acquire('b', 20)).toMatchObject({ reason: 'retry_after', askAgainMs: 1 })
    limiter.nowMs += 1
    expect(limiter.granted('b', 20).permits).toBe(10)
  })

  it('of more than an hour is shown as parked, of an hour it is not', () => {
    expect(snapshotOf(refusedAfter(3_600_000).limiter.state).parkedForMs).toBeNull()
    expect(snapshotOf(refusedAfter(3_600_001).limiter.state).parkedForMs).toBe(3_600_001)
  })

  it('case R13: of ten years is obeyed day by day: once a day one request finds out whether it still holds', () => {
    const TEN_YEARS_MS = 315_360_000_000
    const DAY_MS = 86_400_500
    const { limiter } = refusedAfter(TEN_YEARS_MS, 0.5)
    for (let day = 1; day <= 3; day += 1) {
      expect(limiter.acquire('b', 20)).toMatchObject({ reason: 'retry_after', askAgainMs: DAY_MS })
      expect(snapshotOf(limiter.state).parkedForMs).toBe(DAY_MS)
      limiter.nowMs += DAY_MS
      const probe = limiter.granted('b', 20)
      expect(probe.permits).toBe(1)
      expect(limiter.acquire('c', 20)).toMatchObject({ granted: false, reason: 'trickle' })
      limiter.refused(probe, TEN_YEARS_MS, 0.5)
    }
    limiter.nowMs += DAY_MS
    limiter.report('b', limiter.granted('b', 20), { ok: 1 })
    limiter.nowMs += 2000
    expect(limiter.granted('b', 20).permits).toBe(20)
    expect(snapshotOf(limiter.state).parkedForMs).toBeNull()
  })

  it('never opens the breaker, however often', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    for (let round = 0; round < 40; round += 1) {
      const lease = limiter.granted('a', 20)
      limiter.report('a', lease, { throttled: 1, retryAfterMs: 1000 })
      limiter.nowMs += 120_000
    }
    expect(limiter.state.breaker).toMatchObject({ state: 'closed', opens: 0 })
  })

  it('case B19: for a quarter of an hour is parked, and one request is enough to go on', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    let sent = 0
    const untilMs = limiter.nowMs + 900_000
    while (limiter.nowMs < untilMs) {
      const reply = limiter.acquire('a', 20)
      if (!reply.granted) {
        limiter.nowMs += reply.askAgainMs
        continue
      }
      sent += 1
      limiter.refused(reply, 60_000, 0.5)
    }
    expect(sent).toBeLessThanOrEqual(15)
    limiter.nowMs += 70_000
    limiter.report('a', limiter.granted('a', 20), { ok: 1 })
    expect(limiter.state.streak).toBe(0)
  })

  it('case B28: of always the same five seconds makes the waits longer, and never the same', () => {
    const waitsWith = (random: number) => {
      const limiter = new LimiterAt({ maxRps: 10 })
      return Array.from({ length: 4 }, () => {
        limiter.refused(limiter.granted('a', 20), 5000, random)
        const reply = limiter.acquire('a', 20)
        const waitMs = reply.granted ? 0 : reply.askAgainMs
        limiter.nowMs += waitMs
        return waitMs
      })
    }
    expect(waitsWith(0)).toEqual([5000, 10_000, 16_000, 16_000])
    expect(waitsWith(0.5)).toEqual([5250, 10_500, 16_500, 16_500])
  })

  it('case R20: told to many processes lets none send early, and them resume one after the other', () => {
    const limiter = new LimiterAt({ maxRps: 100 })
    const workers = Array.from({ length: 8 }, (_, index) => `w${index}`)
    const lease = limiter.granted('w0', 10)
    for (const worker of workers.slice(1)) limiter.acquire(worker, 10)
    limiter.refused(lease, 10_000, 0.7)
    const resumeMs = limiter.nowMs + 10_700
    const sends: number[] = []
    const asksAt = new Map(workers.map((worker) => [worker, limiter.nowMs]))
    for (; limiter.nowMs < resumeMs + 4000; limiter.nowMs += 10) {
      for (const worker of workers) {
        if (limiter.nowMs < (asksAt.get(worker) ?? 0)) continue
        const reply = limiter.acquire(worker, 10)
        const nextMs = reply.granted ? 4000 : reply.askAgainMs
        asksAt.set(worker, limiter.nowMs + nextMs)
        if (!reply.granted) continue
        for (let permit = 0; permit < reply.permits; permit += 1) {
          sends.push(limiter.nowMs + reply.firstDelayMs + permit * reply.spacingMs)
        }
      }
    }
    sends.sort((a, b) => a - b)
    expect(sends.length).toBeGreaterThanOrEqual(80)
    expect(sends[0]).toBeGreaterThanOrEqual(resumeMs)
    const gaps = sends.slice(1).map((sendMs, index) => sendMs - (sends[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10 - 1e-6)
    const inFirstSlot = sends.filter((sendMs) => sendMs < resumeMs + 2000)
    expect(inFirstSlot.length).toBeLessThanOrEqual(100)
    expect((sends.at(-1) ?? 0) - resumeMs).toBeGreaterThanOrEqual(1000)
  })
})

describe('a refusal that names no wait', () => {
  it('frees the place of what the refused process held: it asks again at once', () => {
    const { limiter } = refusedAfter(null)
    expect(limiter.granted('a', 20)).toMatchObject({ permits: 1, firstDelayMs: 0, epoch: 1 })
  })

  it('lets one permit through, the next a slot later, until something is accepted', () => {
    const { limiter } = refusedAfter(null)
    const lease = limiter.granted('a', 20)
    expect(snapshotOf(limiter.state)).toMatchObject({ mode: 'trickle', hold: 'trickle' })
    expect(limiter.acquire('b', 20)).toMatchObject({ reason: 'trickle', askAgainMs: 2000 })
    limiter.nowMs += 300
    limiter.report('a', lease, { ok: 1 })
    expect(limiter.state).toMatchObject({ streak: 0, trickleMs: null })
    expect(limiter.granted('a', 20).permits).toBe(20)
  })

  it('goes on after a moment of silence once one is accepted: a strict server has nothing in hand yet', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.refused(limiter.granted('a', 20), null)
    const one = limiter.granted('a', 20)
    expect(one.permits).toBe(1)
    limiter.nowMs += 100
    const reports = [reportFor(one, { ok: 1 })]
    expect(limiter.granted('a', 20, { reports }).firstDelayMs).toBeGreaterThanOrEqual(200)
  })

  it('does not wait for the result of a permit that was lost', () => {
    const { limiter } = refusedAfter(null)
    limiter.granted('a', 20)
    limiter.nowMs += 2000
    expect(limiter.granted('b', 20).permits).toBe(1)
  })

  it('makes the next wait 1, 2, 4 s and more, half of it left to chance, until something succeeds', () => {
    const waitsWith = (random: number) => {
      const limiter = new LimiterAt({ maxRps: 10 })
      const waits = Array.from({ length: 8 }, () => {
        const lease = limiter.granted('a', 20)
        limiter.refused(lease, null, random)
        const waitMs = Math.max(0, (limiter.state.trickleMs ?? 0) - limiter.state.clockMs)
        limiter.nowMs += waitMs + 10_000
        return Math.round(waitMs)
      })
      return { limiter, waits }
    }
    const { limiter, waits } = waitsWith(1)
    expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 16_000, 16_000])
    expect(waitsWith(0).waits).toEqual([0, 500, 1000, 2000, 4000, 8000, 8000, 8000])
    limiter.report('a', limiter.granted('a', 20), { ok: 1 })
    expect(limiter.state).toMatchObject({ streak: 0, trickleMs: null })
  })

  it('is no event when it answers a request from before the last one', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 20)
    limiter.refused(lease, null)
    limiter.report('a', limiter.granted('a', 1), { ok: 1 })
    limiter.refused(lease, null)
    expect(limiter.state).toMatchObject({ streak: 0, trickleMs: null, epoch: 1 })
  })

  it('is not taken back by what was accepted before it', () => {
    const { limiter, lease } = refusedAfter(null)
    limiter.report('a', lease, { ok: 5 })
    expect(limiter.state.streak).toBe(1)
    expect(limiter.granted('a', 20).permits).toBe(1)
  })

  it('tells what was accepted until then with the notice, once', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const { leaseId, epoch } = limiter.granted('a', 20)
    const reports = [reportFor({ ...limiter.granted('a', 20), leaseId, epoch }, { ok: 7 })]
    const notice = { leaseId, epoch, agoMs: 0, retryAfterMs: null, reports }
    limiter.send({ kind: 'refused', notice })
    limiter.send({ kind: 'refused', notice })
    limiter.acquire('a', 0, { reports })
    expect(limiter.state.totals.sent).toBe(7)
  })
})

describe('a refusal the strategy expected', () => {
  it('goes on at the new rate, after a moment in which the server can recover', () => {
    const limiter = new LimiterAt({
      strategy: 'aimd',
      initialRps: 10,
    } satisfies Partial<DomainPolicy>)
    limiter.refused(limiter.granted('a', 20), null)
    const next = limiter.granted('a', 20)
    expect(next).toMatchObject({ spacingMs: 200, permits: 10 })
    expect(next.firstDelayMs).toBeGreaterThan(0)
    expect(next.firstDelayMs).toBeLessThanOrEqual(500)
  })

  it('is expected once: refused again it is one permit at a time', () => {
    const limiter = new LimiterAt({ strategy: 'aimd', initialRps: 10 })
    limiter.refused(limiter.granted('a', 20), null)
    limiter.refused(limiter.granted('a', 20), null)
    limiter.nowMs += 1000
    expect(limiter.granted('a', 20).permits).toBe(1)
  })
})
