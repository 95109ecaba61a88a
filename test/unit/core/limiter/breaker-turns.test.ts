/** The circuit breaker in the life of a domain: what processes are told when a server breaks. */
import { describe, expect, it } from 'vitest'
import type { DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import type { LeaseGrant } from '../../../../src/core/limiter/protocol.ts'
import { readSavedState } from '../../../../src/core/limiter/saved-state.ts'
import { snapshotOf } from '../../../../src/core/limiter/snapshot.ts'
import { LimiterAt } from './limiter-at.ts'

const OPEN_MS = 5000

/** Ten failures in a row; `before` is the lease they happened on. */
function broken(policy: Partial<DomainPolicy> = {}): { limiter: LimiterAt; before: LeaseGrant } {
  const limiter = new LimiterAt({ maxRps: 10, openStateDurationMs: OPEN_MS, ...policy })
  // The middle of the jitter: open for exactly as long as the policy says.
  limiter.random = 0.5
  const before = limiter.granted('old', 20)
  limiter.report('old', before, { failed: 10, failuresInARow: 10 })
  return { limiter, before }
}

function halfOpen(policy: Partial<DomainPolicy> = {}) {
  const { limiter, before } = broken(policy)
  limiter.nowMs += OPEN_MS
  limiter.send({ kind: 'tick' })
  return { limiter, before }
}

const stateOf = (limiter: LimiterAt) => snapshotOf(limiter.state).state

describe('a server that fails', () => {
  it('ten times in a row is asked nothing any more, by anybody', () => {
    const { limiter } = broken()
    for (const worker of ['old', 'new']) {
      expect(limiter.acquire(worker, 5)).toMatchObject({
        granted: false,
        reason: 'breaker_open',
        askAgainMs: OPEN_MS,
        revoked: true,
      })
    }
    expect(snapshotOf(limiter.state)).toMatchObject({
      state: 'open',
      hold: 'breaker_open',
      nextEarliest: OPEN_MS,
      denied: 2,
    })
  })

  it('is broken when several processes together saw ten failures', () => {
    const limiter = new LimiterAt({ maxRps: 200 })
    const lease = limiter.granted('a', 100)
    for (let sequence = 1; sequence <= 10; sequence += 1) {
      expect(stateOf(limiter)).toBe('closed')
      limiter.report('a', lease, { overloaded: 1, failuresInARow: 1, sequence })
    }
    expect(stateOf(limiter)).toBe('open')
  })

  it('half of the time is broken too, once twenty results are there', () => {
    const limiter = new LimiterAt({ maxRps: 200 })
    const lease = limiter.granted('a', 100)
    for (let sequence = 1; sequence <= 9; sequence += 1) {
      limiter.report('a', lease, { ok: 1, failed: 1, failuresInARow: 1, sequence })
    }
    expect(stateOf(limiter)).toBe('closed')
    limiter.report('a', lease, { ok: 1, failed: 1, failuresInARow: 1, sequence: 10 })
    expect(stateOf(limiter)).toBe('open')
  })

  it.each([
    ['refuses', { throttled: 1 }],
    ['says that there is no such thing', { neutral: 1 }],
    ['is no longer waited for', { cancelled: 1 }],
  ])('is not one that %s', (_, counts) => {
    const limiter = new LimiterAt({ maxRps: 200 })
    for (let round = 0; round < 50; round += 1) {
      const reply = limiter.acquire('a', 10)
      if (reply.granted) limiter.report('a', reply, counts)
      limiter.nowMs += 20_000
    }
    expect(limiter.state.breaker.opens).toBe(0)
  })

  it('case B3: four times, then after five minutes of silence once, is not broken', () => {
    const limiter = new LimiterAt({ consecutiveFailThreshold: 100, minSamplesToTrip: 5 })
    const lease = limiter.granted('a', 20)
    limiter.report('a', lease, { failed: 4, failuresInARow: 4 })
    limiter.nowMs += 300_000
    limiter.report('a', limiter.granted('a', 20), { failed: 1, failuresInARow: 1 })
    expect(stateOf(limiter)).toBe('closed')
  })
})

it('case B7: sixteen processes at the first instant get exactly three probes together', () => {
  const { limiter } = halfOpen()
  const replies = Array.from({ length: 16 }, (_, index) => limiter.acquire(`w${index}`, 1))
  expect(replies.filter((reply) => reply.granted)).toHaveLength(3)
  expect(replies.at(-1)).toMatchObject({ reason: 'breaker_open', revoked: true })
  const { limiter: other } = halfOpen()
  expect(other.granted('a', 100).permits).toBe(3)
})

it('probes keep the in-flight cap', () => {
  const { limiter } = halfOpen({ maxInFlight: 1 })
  expect(limiter.granted('a', 5)).toMatchObject({ permits: 1, inFlightCap: 1 })
  expect(limiter.acquire('b', 5).granted).toBe(false)
})

describe('three probes that succeed', () => {
  it('close it: half of the rate for a slot, and old failures are forgotten', () => {
    const { limiter } = halfOpen()
    const probe = limiter.granted('a', 10)
    limiter.report('a', probe, { ok: 3 })
    expect(stateOf(limiter)).toBe('closed')
    const lease = limiter.granted('a', 100)
    expect(lease.spacingMs).toBe(200)
    limiter.report('a', lease, { failed: 1, failuresInARow: 1 })
    expect(stateOf(limiter)).toBe('closed')
    expect(snapshotOf(limiter.state).consecutiveFails).toBe(1)
  })

  it('and the next failure finds no others in the window: twenty from before do not open it again', () => {
    const limiter = new LimiterAt({ maxRps: 200, consecutiveFailThreshold: 100 })
    limiter.random = 0.5
    limiter.report('a', limiter.granted('a', 20), { failed: 20, failuresInARow: 20 })
    expect(stateOf(limiter)).toBe('open')
    limiter.nowMs += OPEN_MS
    limiter.report('a', limiter.granted('a', 3), { ok: 3 })
    expect(stateOf(limiter)).toBe('closed')
    limiter.report('a', limiter.granted('a', 20), { failed: 1, failuresInARow: 1 })
    expect(stateOf(limiter)).toBe('closed')
  })

  it('let everybody go on at once: whoever probed has nothing on its way any more', () => {
    const { limiter } = halfOpen()
    const probe = limiter.granted('a', 3)
    limiter.nowMs += 1000
    limiter.report('a', probe, { ok: 3 })
    expect(limiter.granted('b', 100)).toMatchObject({ firstDelayMs: 0 })
  })

  it('may be of several processes', () => {
    const { limiter } = halfOpen()
    for (const worker of ['a', 'b', 'c']) {
      expect(stateOf(limiter)).toBe('half_open')
      limiter.report(worker, limiter.granted(worker, 1), { ok: 1 })
    }
    expect(stateOf(limiter)).toBe('closed')
  })

  it('case B6: may be answered 404: the server is there', () => {
    const { limiter } = halfOpen()
    limiter.report('a', limiter.granted('a', 3), { neutral: 3 })
    expect(stateOf(limiter)).toBe('closed')
  })
})

describe('a probe', () => {
  it('that fails opens it again, for twice as long', () => {
    const { limiter } = halfOpen()
    limiter.report('a', limiter.granted('a', 3), { ok: 2, overloaded: 1, failuresInARow: 1 })
    expect(limiter.acquire('b', 1)).toMatchObject({
      reason: 'breaker_open',
      askAgainMs: 2 * OPEN_MS,
    })
  })

  it('that finds no connection opens it again, for no longer than before', () => {
    const { limiter } = halfOpen()
    limiter.report('a', limiter.granted('a', 3), { failed: 3, failuresInARow: 3 })
    expect(limiter.acquire('b', 1)).toMatchObject({ reason: 'breaker_open', askAgainMs: OPEN_MS })
  })

  it.each([
    ['handed back', { unused: 3 }],
    ['cancelled', { cancelled: 3 }],
  ])('case B4: that is %s is granted to the next at once', (_, counts) => {
    const { limiter } = halfOpen()
    const probe = limiter.granted('a', 3)
    expect(limiter.acquire('b', 3).granted).toBe(false)
    limiter.report('a', probe, counts)
    expect(limiter.granted('b', 3).permits).toBe(3)
  })

  it('case B4: that never answers is given up after ten seconds', () => {
    const { limiter } = halfOpen()
    limiter.granted('dead', 3)
    limiter.nowMs += 9999
    expect(limiter.acquire('b', 3)).toMatchObject({ reason: 'breaker_open' })
    limiter.nowMs += 1
    expect(limiter.granted('b', 3).permits).toBe(3)
  })

  it('case B4: of a process that died with the only place on its way does not block for ever', () => {
    const { limiter } = halfOpen({ maxInFlight: 1 })
    limiter.granted('dead', 3)
    limiter.acquire('dead', 0, { inFlight: 1 })
    const startMs = limiter.nowMs
    let reply = limiter.acquire('b', 3)
    while (!reply.granted && limiter.nowMs < startMs + 60_000) {
      limiter.nowMs += reply.askAgainMs
      reply = limiter.acquire('b', 3)
    }
    expect(reply.granted).toBe(true)
    expect(limiter.nowMs - startMs).toBeLessThanOrEqual(12_000)
  })

  it('case B6: that is refused says nothing of the server being broken, and the next waits for the wait', () => {
    const { limiter } = halfOpen()
    const probe = limiter.granted('a', 1)
    limiter.report('a', probe, { throttled: 1, retryAfterMs: 4000 })
    expect(stateOf(limiter)).toBe('half_open')
    expect(limiter.acquire('b', 3)).toMatchObject({ reason: 'retry_after' })
    limiter.nowMs += 5000
    limiter.report('b', limiter.granted('b', 3), { ok: 3 })
    expect(stateOf(limiter)).toBe('closed')
  })

  it('that is refused without a wait is followed by one permit at a time, ever more rarely', () => {
    const { limiter } = halfOpen()
    const probes: number[] = []
    const untilMs = limiter.nowMs + 60_000
    while (limiter.nowMs < untilMs) {
      const reply = limiter.acquire('a', 3)
      if (!reply.granted) {
        limiter.nowMs += reply.askAgainMs
        continue
      }
      probes.push(reply.permits)
      limiter.nowMs += 50
      limiter.report('a', reply, { throttled: reply.permits })
    }
    expect(probes.slice(1).every((permits) => permits === 1)).toBe(true)
    expect(probes.length).toBeGreaterThan(3)
    expect(probes.length).toBeLessThan(15)
    expect(stateOf(limiter)).toBe('half_open')
  })
})

describe('what was on its way before it opened', () => {
  it('case B8: neither lengthens nor restarts its time by failing', () => {
    const { limiter, before } = broken()
    limiter.nowMs += 3000
    limiter.report('old', before, { failed: 5, failuresInARow: 15, sequence: 2 })
    expect(limiter.acquire('a', 1)).toMatchObject({ askAgainMs: OPEN_MS - 3000 })
  })

  it('case B5: neither closes it by succeeding, nor opens it again by failing', () => {
    const { limiter, before } = halfOpen()
    limiter.granted('a', 3)
    limiter.report('old', before, { ok: 5, sequence: 2 })
    expect(stateOf(limiter)).toBe('half_open')
    expect(limiter.state.breaker.succeeded).toBe(0)
    limiter.report('old', before, { failed: 5, failuresInARow: 5, sequence: 3 })
    expect(stateOf(limiter)).toBe('half_open')
  })

  it('case B5: nor do probes of an earlier time', () => {
    const { limiter } = halfOpen()
    const slow = limiter.granted('slow', 1)
    limiter.report('a', limiter.granted('a', 1), { failed: 1, failuresInARow: 1 })
    limiter.nowMs += 2 * OPEN_MS
    limiter.granted('b', 3)
    limiter.report('slow', slow, { ok: 1 })
    expect(limiter.state.breaker).toMatchObject({ state: 'half_open', succeeded: 0 })
  })
})

it('case B9: saved and restored after 60 % of its time has 40 % left', () => {
  const { limiter } = broken()
  limiter.nowMs += 0.6 * OPEN_MS
  limiter.send({ kind: 'tick' })
  const stored: unknown = JSON.parse(JSON.stringify(limiter.state))
  const next = new LimiterAt({ maxRps: 10 }, limiter.nowMs)
  next.state = { ...next.state, restored: false }
  next.send({ kind: 'restored', saved: readSavedState(stored, 'example.org') })
  expect(next.acquire('a', 1)).toMatchObject({
    reason: 'breaker_open',
    askAgainMs: 0.4 * OPEN_MS,
  })
})
