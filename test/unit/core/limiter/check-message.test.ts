import { describe, expect, it } from 'vitest'
import {
  problemOfAcquire,
  problemOfNotice,
  problemOfPause,
  problemOfPolicy,
  problemOfRelease,
} from '../../../../src/core/limiter/check-message.ts'
import { defaultPolicy, type DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import type { AcquireRequest, LeaseReport } from '../../../../src/core/limiter/protocol.ts'
import { reportFor } from '../../../support/lease-report.ts'
import { LimiterAt } from './limiter-at.ts'

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
    const published = [{ quota: 200, windowMs: 60_000, remaining: 3, resetMs: 100 }]
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
    ['priority', odd({ wants: [{ project: '1', permits: 1, priority: 'at once' }] })],
    ['weight', odd({ wants: [{ project: '1', permits: 1, weight: 0 }] })],
    ['inFlight', odd({ inFlight: null })],
    ['reports', odd({ reports: Array.from({ length: 65 }, () => report) })],
    ['report', odd({ reports: [null] })],
    ['ok', oddReport({ ok: Number.NaN })],
    ['sent', oddReport({ sent: 9 })],
    ['latency', oddReport({ latency: null })],
    ['latency.meanMs', oddReport({ latency: { count: 1, meanMs: null, p95Ms: 1 } })],
    ['latency.leastMs', oddReport({ latency: { count: 1, meanMs: 1, p95Ms: 1, leastMs: -1 } })],
    ['retryAfterMs', oddReport({ retryAfterMs: 1e13 })],
    ['cost', oddReport({ cost: -1 })],
    ['waited', oddReport({ waited: -1 })],
    ['retries', oddReport({ retries: undefined })],
    ['published', oddReport({ published: { quota: 1, windowMs: 1 } })],
    [
      'published',
      oddReport({ published: Array.from({ length: 5 }, () => ({ quota: 1, windowMs: 1 })) }),
    ],
    ['published.quota', oddReport({ published: [{ quota: 'many', windowMs: 1 }] })],
    ['published.resetMs', oddReport({ published: [{ quota: 1, windowMs: 1, resetMs: -1 }] })],
  ])('with an absurd %s is refused, saying so', (field, request) => {
    expect(problemOfAcquire(request)).toContain(`${field}: found`)
  })

  it('may want a project once in each priority', () => {
    const urgent = { project: '123', permits: 1, priority: 'interactive' }
    expect(problemOfAcquire(odd({ wants: [...acquire.wants, urgent] }))).toBeUndefined()
    expect(problemOfAcquire(odd({ wants: [urgent, urgent] }))).toContain('wants: found')
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
  const notice = { leaseId: 'x-1', epoch: 0, agoMs: 10, retryAfterMs: null, reports: [report] }
  expect(problemOfNotice(notice)).toBeUndefined()
  expect(problemOfNotice({ ...notice, epoch: 0.5 })).toContain('epoch')
  expect(problemOfNotice({ ...notice, retryAfterMs: -1 })).toContain('retryAfterMs')
  const bad = { ...report, ok: -1 }
  expect(problemOfNotice({ ...notice, reports: [bad] })).toContain('ok: found')
  expect(problemOfPause({ reason: 'maintenance' })).toBeUndefined()
  expect(problemOfPause({ reason: 'x'.repeat(501) })).toContain('pause')
})

it('a policy is looked at: a limiter with no rate would divide by nothing', () => {
  const policy = defaultPolicy('example.org')
  const odd = (changes: object) => ({ policy: { ...policy, ...changes } as DomainPolicy })
  expect(problemOfPolicy({ policy })).toBeUndefined()
  expect(problemOfPolicy(odd({ maxRps: 0 }))).toContain('policy: found')
  expect(problemOfPolicy(odd({ minRps: null }))).toContain('policy: found')
  expect(problemOfPolicy(JSON.parse('{}'))).toContain('policy: found')
})
