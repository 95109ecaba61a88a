/** Leases that are over: whoever is late with a report of one. */
import { describe, expect, it } from 'vitest'
import { LimiterAt } from './limiter-at.ts'

/** A process that is told of as quickly as it spends. @returns Requests it has sent. */
function passBy(limiter: LimiterAt, leases: number): number {
  for (let round = 0; round < leases; round += 1) {
    const lease = limiter.granted('quick', 5)
    limiter.nowMs += 1000
    limiter.report('quick', lease, { ok: 5 })
  }
  return leases * 5
}

describe('a late report counts, and once', () => {
  it('however many leases of another process began and ended meanwhile', () => {
    const limiter = new LimiterAt({ maxRps: 10_000 })
    const late = limiter.granted('late', 5)
    const others = passBy(limiter, 200)
    limiter.report('late', late, { ok: 2 })
    limiter.report('late', late, { ok: 2 })
    passBy(limiter, 100)
    limiter.report('late', late, { ok: 3, sequence: 2 })
    expect(limiter.state.totals.sent).toBe(others + 500 + 5)
  })

  it('when every one of sixteen processes is late with two leases', () => {
    const limiter = new LimiterAt({ maxRps: 10_000, maxInFlight: 1000 })
    const names = Array.from({ length: 16 }, (_, index) => `late-${index}`)
    const leases = names.flatMap((name) =>
      [1, 2].map(() => ({ name, lease: limiter.granted(name, 5) })),
    )
    limiter.nowMs += 5000
    for (const { name, lease } of leases) limiter.report(name, lease, { ok: 5 })
    expect(limiter.state.totals.sent).toBe(16 * 2 * 5)
  })

  it('though whoever never reports takes places for ever', () => {
    const limiter = new LimiterAt({ maxRps: 10_000 })
    for (let round = 0; round < 100; round += 1) {
      limiter.granted('silent', 5)
      limiter.nowMs += 1000
    }
    const late = limiter.granted('late', 5)
    passBy(limiter, 100)
    limiter.report('late', late, { ok: 5 })
    expect(limiter.state.totals.sent).toBe(505)
    expect(limiter.state.ended).toHaveLength(32)
  })
})
