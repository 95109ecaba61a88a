import { describe, expect, it } from 'vitest'
import { classifyResponse } from '../../../../src/http/classify-response.ts'
import {
  type DomainClassifier,
  generic,
  mediaWiki,
} from '../../../../src/http/classifiers/domain-classifier.ts'

const nowMs = Date.UTC(2026, 8, 15, 12)
const error = (code: unknown): string => JSON.stringify({ error: { code, info: 'why' } })

function verdict(
  status: number,
  bodyText: string,
  headers: Record<string, string> = {},
  classifier: DomainClassifier = mediaWiki,
): readonly unknown[] {
  const answer = { status, headers, bodyText }
  const { outcome, fault } = classifyResponse(classifier, answer, 40, nowMs)
  return [fault?.kind ?? 'ok', fault?.code ?? null, outcome.kind, outcome.retryAfterMs]
}

describe('an answer of MediaWiki', () => {
  it('R18, B28: obeys Retry-After with maxlag, with status 200 and with 503', () => {
    const headers = { 'retry-after': '5', 'x-database-lag': '7' }
    const maxlag = JSON.stringify({ error: { code: 'maxlag', lag: 7.32, type: 'db' } })
    for (const status of [200, 503]) {
      const expected = ['throttled', 'maxlag', 'throttled', 5_000]
      expect(verdict(status, maxlag, headers)).toEqual(expected)
    }
  })

  it('B28: waits five seconds for maxlag when the header names no wait', () => {
    for (const headers of [{}, { 'retry-after': '' }, { 'retry-after': '0' }]) {
      expect(verdict(200, error('maxlag'), headers)[3]).toBe(5_000)
    }
  })

  it('knows a refusal for lag by X-Database-Lag alone', () => {
    const body = 'Waiting for a database server: 9 seconds lagged'
    const headers = { 'x-database-lag': '9', 'retry-after': '9' }
    expect(verdict(503, body, headers)).toEqual(['throttled', 'maxlag', 'throttled', 9_000])
  })

  it.each([
    ['ratelimited', 'throttled', 'ratelimited', 'throttled'],
    ['concurrency-limit', 'throttled', 'concurrency_limit', 'throttled'],
    ['cirrussearch-too-busy-error', 'throttled', 'search_busy', 'throttled'],
    ['cirrussearch-regex-too-busy-error', 'throttled', 'search_busy', 'throttled'],
    ['cirrussearch-backend-error', 'transient', 'search_failed', 'overload'],
    ['readonly', 'transient', 'readonly', 'overload'],
    ['internal_api_error_DBQueryError', 'transient', 'internal_api_error', 'overload'],
  ])('code %s is %s %s, reported as %s', (code, ...expected) => {
    const errors = JSON.stringify({ errors: [{ code }] })
    expect(verdict(200, error(code)).slice(0, 3)).toEqual(expected)
    expect(verdict(200, errors).slice(0, 3)).toEqual(expected)
    expect(verdict(200, '{}', { 'mediawiki-api-error': code }).slice(0, 3)).toEqual(expected)
  })

  it('leaves other codes to the caller, and keeps their quick answers out of the latency', () => {
    for (const code of ['no-such-entity', 'cirrussearch-query-too-long', 'constructor']) {
      expect(verdict(200, error(code))).toEqual(['ok', null, 'neutral', undefined])
    }
    expect(verdict(403, error('permissiondenied')).slice(0, 2)).toEqual(['endpoint', 'forbidden'])
    expect(verdict(500, error('oops')).slice(0, 3)).toEqual([
      'transient',
      'server_error',
      'overload',
    ])
  })

  it('means the same as everywhere where no code is named', () => {
    expect(verdict(200, '{"search":[]}')).toEqual(['ok', null, 'ok', undefined])
    expect(verdict(200, '{"error":"text"}')[0]).toBe('ok')
    expect(verdict(200, error(7))[0]).toBe('ok')
    expect(verdict(429, '', { 'retry-after': '8' })).toEqual([
      'throttled',
      'too_many_requests',
      'throttled',
      8_000,
    ])
  })
})

describe('an answer of anybody else', () => {
  it('is not read by the codes of MediaWiki', () => {
    for (const code of ['maxlag', 'ratelimited', 'readonly']) {
      expect(verdict(200, error(code), {}, generic)).toEqual(['ok', null, 'ok', undefined])
    }
  })

  it('is, when it names itself MediaWiki with the header of its errors', () => {
    const headers = { 'mediawiki-api-error': 'maxlag', 'retry-after': '6' }
    const expected = ['throttled', 'maxlag', 'throttled', 6_000]
    expect(verdict(200, error('maxlag'), headers, generic)).toEqual(expected)
  })
})
