/** Whose turn it is: few hold leases at a time, and over minutes everybody gets a fair part. */
import { describe, expect, it } from 'vitest'
import type { ProjectWant } from '../../../../src/core/limiter/protocol.ts'
import { holderCount, inTurn, permitsPerTurn } from '../../../../src/core/limiter/turn.ts'
import { reportFor } from '../../../support/lease-report.ts'
import { LimiterAt } from './limiter-at.ts'

type Wants = readonly ProjectWant[]

const always: Wants = [{ project: '1', permits: 1000 }]

/**
 * Processes that always want something and spend what they get, at least every 250 ms for so long.
 * @returns What each was granted, and who had each lease, in order.
 */
function serve(limiter: LimiterAt, wants: Readonly<Record<string, Wants>>, forMs: number) {
  const granted = new Map(Object.keys(wants).map((name) => [name, 0]))
  const next = new Map(Object.keys(wants).map((name) => [name, limiter.nowMs]))
  const spent = new Map<string, ReturnType<typeof reportFor>>()
  const holders: string[] = []
  const untilMs = limiter.nowMs + forMs
  for (; limiter.nowMs < untilMs; limiter.nowMs += 50) {
    for (const [name, wanted] of Object.entries(wants)) {
      if (limiter.nowMs < (next.get(name) ?? 0)) continue
      const report = spent.get(name)
      spent.delete(name)
      const reports = report === undefined ? [] : [report]
      const reply = limiter.acquire(name, 0, { wants: wanted, reports })
      next.set(name, limiter.nowMs + (reply.granted ? reply.renewAfterMs : reply.askAgainMs))
      if (!reply.granted) continue
      spent.set(name, reportFor(reply, { ok: reply.permits }))
      granted.set(name, (granted.get(name) ?? 0) + reply.permits)
      holders.push(name)
    }
  }
  return { granted: Object.fromEntries(granted), holders }
}

/** @returns Lengths of the stretches in which one and the same process had every lease. */
function stretches(holders: readonly string[]): number[] {
  return Array.from(holders.join('').matchAll(/(.)\1*/g), ([stretch]) => stretch.length)
}

describe('a turn', () => {
  it('is one holder up to a hundred requests a second, and one more for each further hundred', () => {
    for (const [maxRps, count] of [
      [5, 1],
      [100, 1],
      [101, 2],
      [250, 3],
    ] as const) {
      const limiter = new LimiterAt({ maxRps })
      for (const name of ['a', 'b', 'c', 'd']) limiter.acquire(name, 1000)
      expect(holderCount(limiter.state)).toBe(count)
    }
  })

  it('is one holder under a crawl delay, however short that is', () => {
    const limiter = new LimiterAt({ maxRps: 400, minSpacingMs: 4 })
    for (const worker of ['a', 'b', 'c']) limiter.acquire(worker, 1000)
    expect(holderCount(limiter.state)).toBe(1)
  })

  it('has no more holders than processes that want something', () => {
    const limiter = new LimiterAt({ maxRps: 900 })
    limiter.acquire('a', 1000)
    limiter.acquire('idle', 0)
    expect(holderCount(limiter.state)).toBe(1)
  })

  it('lasts ten seconds, over several leases of the same process', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const { holders } = serve(limiter, { a: always, b: always, c: always }, 120_000)
    // Over after the lease that comes nearest to it.
    expect(permitsPerTurn(limiter.state)).toBe(100 - 10)
    const whole = stretches(holders).slice(1, -1)
    expect(whole.length).toBeGreaterThan(5)
    expect(new Set(whole)).toEqual(new Set([5]))
  })

  it('ends when its process wants nothing any more', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 5)
    expect(limiter.acquire('b', 100)).toMatchObject({ granted: false, reason: 'no_tokens' })
    limiter.report('a', lease, { ok: 5 })
    limiter.nowMs += 200
    expect(limiter.granted('b', 100).firstDelayMs).toBe(300)
  })

  it('is not lost with the lease when the server refuses', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const lease = limiter.granted('a', 100)
    limiter.acquire('b', 100)
    limiter.refused(lease, null)
    limiter.acquire('a', 100, { inFlight: 0 })
    expect(inTurn(limiter.state)[0]).toBe('a')
  })

  it('comes to who asks again when told to, not later', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    limiter.granted('a', 20)
    const reply = limiter.acquire('b', 100)
    expect(reply).toMatchObject({ granted: false, askAgainMs: 1700 })
  })
})

describe('over minutes', () => {
  it('everybody gets the same, wherever the in-flight cap is', () => {
    for (const maxInFlight of [1, 2, 100]) {
      const limiter = new LimiterAt({ maxRps: 10, maxInFlight })
      const { granted } = serve(limiter, { a: always, b: always, c: always }, 600_000)
      const counts = Object.values(granted)
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(120)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0.97 * 6000)
    }
  })

  it('two holders side by side get the same as the third that takes turns with them', () => {
    const limiter = new LimiterAt({ maxRps: 200 })
    const { granted } = serve(limiter, { a: always, b: always, c: always }, 300_000)
    const counts = Object.values(granted)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2200)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0.95 * 60_000)
  })

  it('a project of weight 3 gets three times as much, in whatever process', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const wants = { a: [{ project: 'big', permits: 1000, weight: 3 }], b: always }
    const { granted } = serve(limiter, wants, 600_000)
    expect((granted['a'] ?? 0) / (granted['b'] ?? 1)).toBeGreaterThan(2.7)
    expect((granted['a'] ?? 0) / (granted['b'] ?? 1)).toBeLessThan(3.3)
  })

  it('who comes late starts level with the worst served, and catches nothing up', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    serve(limiter, { a: always, b: always }, 300_000)
    const { granted } = serve(limiter, { a: always, b: always, late: always }, 300_000)
    expect(granted['late']).toBeGreaterThan(850)
    expect(granted['late']).toBeLessThan(1150)
  })
})

it('a process that wants little keeps nobody waiting: what it leaves is used', () => {
  const limiter = new LimiterAt({ maxRps: 20 })
  const counts = { little: 0, much: 0 }
  const next = { little: limiter.nowMs, much: limiter.nowMs }
  const untilMs = limiter.nowMs + 60_000
  for (; limiter.nowMs < untilMs; limiter.nowMs += 50) {
    for (const name of ['little', 'much'] as const) {
      if (limiter.nowMs < next[name]) continue
      const reply = limiter.acquire(name, name === 'little' ? 2 : 1000)
      counts[name] += reply.granted ? reply.permits : 0
      const comesBackMs = reply.granted && name === 'much' ? reply.renewAfterMs : 1500
      next[name] = limiter.nowMs + (reply.granted ? comesBackMs : reply.askAgainMs)
    }
  }
  expect(counts.little).toBeGreaterThanOrEqual(20)
  expect(counts.much).toBeGreaterThan(1000)
})

describe('who is waited for at a screen', () => {
  const urgent: Wants = [{ project: '1', permits: 1000, priority: 'interactive' }]

  it('goes first, also in the middle of the turn of somebody else', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const { holders } = serve(limiter, { a: always, b: always }, 3_000)
    expect(new Set(holders)).toEqual(new Set(['a']))
    const reply = limiter.acquire('screen', 0, { wants: urgent })
    if (!reply.granted) limiter.nowMs += reply.askAgainMs
    const lease = limiter.granted('screen', 0, { wants: urgent })
    expect(lease.firstDelayMs).toBeLessThanOrEqual(300)
    expect(inTurn(limiter.state)).toEqual(['screen', 'a', 'b'])
  })

  it('but not for ever: a tenth is left to the others', () => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const { granted } = serve(limiter, { a: always, screen: urgent }, 600_000)
    expect(granted['a']).toBeGreaterThan(0.08 * 6000)
    expect(granted['screen']).toBeGreaterThan(0.85 * 6000)
  })
})

describe('a process that is late', () => {
  /** Three that always want more, for ten minutes; what each was granted. */
  const served = (lateMs: number, roundTripMs: number) => {
    const limiter = new LimiterAt({ maxRps: 10 })
    const asking = ['a', 'b', 'late'].map((name) => {
      const isLate = name === 'late'
      const linkMs = isLate ? roundTripMs : 20
      return { name, linkMs, lateMs: isLate ? lateMs : 20, nextMs: limiter.nowMs, granted: 0 }
    })
    const untilMs = limiter.nowMs + 600_000
    while (limiter.nowMs < untilMs) {
      const next = asking.reduce((soonest, one) => (one.nextMs < soonest.nextMs ? one : soonest))
      limiter.nowMs = Math.max(limiter.nowMs, next.nextMs)
      const reply = limiter.acquire(next.name, 100, { roundTripMs: next.linkMs })
      if (reply.granted) next.granted += reply.permits
      next.nextMs =
        limiter.nowMs + next.lateMs + (reply.granted ? reply.renewAfterMs : reply.askAgainMs)
    }
    return asking.map(({ granted }) => granted / 6000)
  }

  it.each([1_500, 3_000, 4_500])(
    'by what its messages take, %i ms, has its part like the others',
    (linkMs) => {
      for (const part of served(linkMs, linkMs)) expect(part).toBeGreaterThan(0.2)
    },
  )

  it('by itself takes nothing from one of the others: both have the same', () => {
    const [a = 0, b = 0] = served(1_500, 20)
    expect(b).toBeGreaterThan(0.4)
    expect(b).toBeGreaterThan(0.9 * a)
  })
})
