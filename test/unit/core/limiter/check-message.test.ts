import { describe, expect, it } from 'vitest'
import {
  problemOfAcquire,
  problemOfNotice,
  problemOfPause,
  problemOfRelease,
} from '../../../../src/core/limiter/check-message.ts'
import type { AcquireRequest, LeaseReport } from '../../../../src/core/limiter/protocol.ts'
import { reportFor, LimiterAt } from './limiter-at.ts'

const report = reportFor(new LimiterAt().granted('a', 1), { ok: 1 })
const acquire: AcquireRequest = {
  worker: 'host-1',
  requestId: 'host-1-1',
  wants: [{ project: '123', permits: 5, weight: 2 }],
  inFlight: 0,
  reports: [report],
}
/** As it comes over the wire: anything. */
const odd = (changes: object) => ({ ...acquire, ...changes }) as AcquireRequest
const oddReport = (changes: object) => odd({ reports: [{ ...report, ...changes } as LeaseReport] })

describe('an acquire', () => {
  it('passes as brokers send it', () => {
    expect(problemOfAcquire(acquire)).toBeUndefined()
    expect(problemOfAcquire({ ...acquire, wants: [], reports: [] })).toBeUndefined()
    const published = { quota: 200, windowMs: 60_000, remaining: 3 }
    expect(problemOfAcquire(oddReport({ published }))).toBeUndefined()
  })

  it.each([
    ['worker', odd({ worker: '' })],
    ['worker', odd({ worker: 'x'.repeat(101) })],
    ['requestId', odd({ requestId: 7 })],
    ['wants', odd({ wants: 'all' })],
    [
      'wants',
      odd({ wants: Array.from({ length: 17 }, (_, n) => ({ project: `${n}`, permits: 1 })) }),
    ],
    ['wants', odd({ wants: [...acquire.wants, ...acquire.wants] })],
    ['permits', odd({ wants: [{ project: '1', permits: 1.5 }] })],
    ['permits', odd({ wants: [{ project: '1', permits: 1e9 }] })],
    ['permits', odd({ wants: [{ project: '1', permits: -1 }] })],
    ['weight', odd({ wants: [{ project: '1', permits: 1, weight: 0 }] })],
    ['inFlight', odd({ inFlight: null })],
    ['reports', odd({ reports: Array.from({ length: 65 }, () => report) })],
    ['report', odd({ reports: [null] })],
    ['ok', oddReport({ ok: Number.NaN })],
    ['sent', oddReport({ sent: 9 })],
    ['latency', oddReport({ latency: null })],
    ['latency.meanMs', oddReport({ latency: { count: 1, meanMs: null, p95Ms: 1 } })],
    ['retryAfterMs', oddReport({ retryAfterMs: 1e13 })],
    ['cost', oddReport({ cost: -1 })],
    ['published.quota', oddReport({ published: { quota: 'many', windowMs: 1 } })],
  ])('with an absurd %s is refused, saying so', (field, request) => {
    expect(problemOfAcquire(request)).toContain(`${field}: found`)
  })

  it('that is no object is refused', () => {
    const nothing: AcquireRequest = JSON.parse('null')
    expect(problemOfAcquire(nothing)).toContain('request: found null')
  })
})

it('releases, notices and pauses are looked at too', () => {
  const release = { worker: 'a', requestId: 'r', leaseIds: ['x-1'], inFlight: 0, reports: [report] }
  expect(problemOfRelease(release)).toBeUndefined()
  expect(problemOfRelease({ ...release, leaseIds: [''] })).toContain('leaseIds')
  const notice = { leaseId: 'x-1', epoch: 0, agoMs: 10, retryAfterMs: null }
  expect(problemOfNotice(notice)).toBeUndefined()
  expect(problemOfNotice({ ...notice, epoch: 0.5 })).toContain('epoch')
  expect(problemOfNotice({ ...notice, retryAfterMs: -1 })).toContain('retryAfterMs')
  expect(problemOfPause({ reason: 'maintenance' })).toBeUndefined()
  expect(problemOfPause({ reason: 'x'.repeat(501) })).toContain('pause')
})
