/** A lease of several slots, as a slow domain has them: wants are for one slot, and go on in the next. */
import { describe, expect, it } from 'vitest'
import type { ProjectWant } from '../../../../src/core/limiter/protocol.ts'
import { inTurn } from '../../../../src/core/limiter/turn.ts'
import { LimiterAt } from './limiter-at.ts'

/** Four permits in four seconds, two slots: what is metered by cost has long leases at any strategy. */
const slow = { maxRps: 1, costPerSecond: 60, costBurst: 60 }

function sharesOf(...wants: readonly ProjectWant[]) {
  const { permits, shares } = new LimiterAt(slow).granted('a', 0, { wants })
  expect(permits).toBe(4)
  return Object.fromEntries(shares.map((share) => [share.project, share.permits]))
}

describe('the permits of a long lease', () => {
  it('are divided by weight, though each project wants all of them', () => {
    const shares = sharesOf(
      { project: 'big', permits: 2, weight: 3 },
      { project: 'small', permits: 2 },
    )
    expect(shares).toEqual({ big: 3, small: 1 })
  })

  it('are for somebody, all of them', () => {
    const shares = sharesOf({ project: 'one', permits: 1 }, { project: 'two', permits: 1 })
    expect(shares).toEqual({ one: 2, two: 2 })
  })

  it('go to the urgent first in every slot, but for what is kept for the others', () => {
    const shares = sharesOf(
      { project: 'run', permits: 4 },
      { project: 'screen', permits: 2, priority: 'interactive' },
    )
    expect(shares).toEqual({ screen: 4 })
  })
})

describe('the turn of a process with a long lease', () => {
  /** A process that wants so much in every slot holds a lease of four permits; another one asks. */
  function held(permitsPerSlot: number) {
    const limiter = new LimiterAt(slow)
    const lease = limiter.granted('a', permitsPerSlot)
    expect(lease.permits).toBe(4)
    return { limiter, lease, other: limiter.acquire('b', 3) }
  }

  it('goes on when it wanted more than there was in those seconds', () => {
    const { limiter, lease, other } = held(3)
    // Whoever is next asks when the lease is not renewed.
    expect(other).toMatchObject({ granted: false, askAgainMs: 4000 })
    limiter.nowMs += 1000
    limiter.refused(lease, null)
    expect(inTurn(limiter.state)).toEqual(['a', 'b'])
  })

  it('ends when it got all that it wanted in them', () => {
    const { limiter, lease, other } = held(2)
    expect(other).toMatchObject({ granted: false, askAgainMs: 3700 })
    limiter.nowMs += 1000
    limiter.refused(lease, null)
    expect(inTurn(limiter.state)).toEqual(['b', 'a'])
  })
})
