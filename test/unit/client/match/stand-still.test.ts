import { describe, expect, it } from 'vitest'
import { domainWaitOf, domainWaitText } from '../../../../src/client/match/domain-wait.ts'
import { standingText } from '../../../../src/client/match/follow-run.ts'
import { isNews, standStillOf } from '../../../../src/client/match/stand-still.ts'
import type { DomainSnapshot } from '../../../../src/core/limiter/protocol.ts'
import type { RunStanding } from '../../../../src/db/run-progress.repo.ts'
import { sending } from '../limits/figures.ts'

const HOUR_MS = 3_600_000
const noonMs = new Date(2026, 0, 1, 12, 0, 0).getTime()

const standing: RunStanding = {
  records: 500,
  finished: 120,
  matched: 88,
  review: 20,
  noCandidate: 12,
  failed: 0,
  pausedReason: null,
  pausedSince: null,
  trouble: null,
}

/** How a domain with these figures is waited for, `ageMs` after they were taken. */
function waitFor(changes: Partial<DomainSnapshot>, ageMs = 0, pausedBecause: string | null = null) {
  const snapshot = { ...sending, ...changes }
  return domainWaitOf({ domain: 'example.org', policy: null, pausedBecause, snapshot, ageMs })
}
const asked = (forMs: number): Partial<DomainSnapshot> => ({
  hold: 'retry_after',
  nextEarliest: forMs,
  parkedForMs: forMs > HOUR_MS ? forMs : null,
})

describe('a run that is held by its server', () => {
  it('says until when, and that the server asked for it, in place of a bare 0.0/s', () => {
    const wait = waitFor(asked(200_000), 20_000)
    expect(standingText(standing, [], wait, noonMs)).toBe(
      '120/500  matched 88 · review 20 · none 12 · 0.0/s · ' +
        'waiting for example.org until 12:03:00 (it asked us to wait)',
    )
    expect(standStillOf(7, null, wait, noonMs)?.text).toBe(
      'It is waiting for example.org until 12:03:00 (it asked us to wait).',
    )
  })

  it('for longer than an hour is parked, with the day and the way to end it', () => {
    expect(standStillOf(7, null, waitFor(asked(24 * HOUR_MS)), noonMs)?.text).toBe(
      'It is waiting for example.org until 2 Jan, 12:00:00 (it asked us to wait; parked).\n' +
        'It goes on by itself then. To ask before: ./record-linker limits resume example.org',
    )
  })

  it('is not said to be once the wait is over, or for a moment', () => {
    expect(waitFor(asked(60_000), 60_000)).toBeNull()
    expect(waitFor(asked(60_000), 59_500)).toBeNull()
    expect(waitFor({})).toBeNull()
    expect(waitFor({ hold: 'trickle', nextEarliest: 9_000 })).toBeNull()
  })

  it('says it once per wait, however often it is measured', () => {
    const at = (forMs: number, nowMs: number) => standStillOf(7, null, waitFor(asked(forMs)), nowMs)
    const first = at(30 * 60_000, noonMs)
    if (first === null) throw new Error('it does not stand still')
    expect(isNews(first, null)).toBe(true)
    expect(isNews(first, at(30 * 60_000 - 59_300, noonMs + 60_000))).toBe(false)
    expect(isNews(first, at(HOUR_MS, noonMs))).toBe(true)
    expect(at(30_000, noonMs)).toBeNull()
  })
})

it('a run whose domain fails says when it is tried again', () => {
  const wait = waitFor({ hold: 'breaker_open', nextEarliest: 15_000, state: 'open' })
  if (wait === null) throw new Error('no wait')
  expect(domainWaitText(wait, noonMs)).toBe(
    'waiting for example.org until 12:00:15 (it fails; then it is tried)',
  )
})

it('a run whose domain is paused by hand says why and how it goes on, asked before or not', () => {
  const told = standStillOf(7, null, waitFor({}, 0, 'lunch'), noonMs)
  expect(told?.text).toBe(
    'It is waiting for example.org (paused: lunch).\n' +
      'Let it go on: ./record-linker limits resume example.org',
  )
  const fresh = { domain: 'example.org', policy: null, snapshot: null, ageMs: null }
  expect(domainWaitOf({ ...fresh, pausedBecause: 'lunch' })?.kind).toBe('paused')
  expect(domainWaitOf({ ...fresh, pausedBecause: null })).toBeNull()
})

it('a run that is paused itself says that first, with its own way on', () => {
  const told = standStillOf(7, 'by user', waitFor({}, 0, 'lunch'), noonMs)
  expect(told?.text).toBe(
    'It is paused: by user\nLet it go on: ./record-linker resume-match --project 7',
  )
})
