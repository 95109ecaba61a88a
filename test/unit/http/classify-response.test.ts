import { describe, expect, it } from 'vitest'
import { classifyResponse } from '../../../src/http/classify-response.ts'

const nowMs = Date.UTC(2026, 8, 15, 12)
const html = (title: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>read our rate limit rules</body></html>`
const maxlag = JSON.stringify({ error: { code: 'maxlag', info: 'Waiting', lag: 5.32 } })

function verdict(
  status: number,
  bodyText = '',
  headers: Record<string, string> = {},
): readonly unknown[] {
  const { outcome, retryAfterMs, fault } = classifyResponse({ status, headers, bodyText }, nowMs)
  return [fault?.kind ?? 'ok', fault?.code ?? null, outcome, retryAfterMs]
}

describe('classifyResponse', () => {
  it.each([
    [200, '{"q0":{"result":[]}}', {}, 'ok', null, 'ok'],
    [200, '{"a":1}', { 'content-type': 'text/html' }, 'ok', null, 'ok'],
    [400, '', {}, 'permanent', 'bad_request', 'neutral'],
    [401, '', {}, 'endpoint', 'unauthorised', 'neutral'],
    [403, '', {}, 'endpoint', 'forbidden', 'neutral'],
    [404, '', {}, 'endpoint', 'not_found', 'neutral'],
    [413, '', {}, 'permanent', 'too_large', 'neutral'],
    [414, html('too long'), {}, 'permanent', 'uri_too_long', 'neutral'],
    [418, '', {}, 'permanent', 'rejected', 'neutral'],
    [429, '', {}, 'throttled', 'too_many_requests', 'throttled'],
    [500, '', {}, 'transient', 'server_error', 'overload'],
    [502, '', {}, 'transient', 'bad_gateway', 'overload'],
    [503, '', {}, 'transient', 'service_unavailable', 'overload'],
    [504, '', {}, 'transient', 'gateway_timeout', 'overload'],
    [522, '', {}, 'transient', 'server_error', 'overload'],
    [304, '', {}, 'endpoint', 'unexpected_status', 'neutral'],
  ])('status %d with %j %j is %s %s, reported as %s', (status, body, headers, ...expected) => {
    expect(verdict(status, body, headers).slice(0, 3)).toEqual(expected)
  })

  it('R18: obeys Retry-After on 503, on 413 and with maxlag in a 200 body', () => {
    const wait = { 'retry-after': '5' }
    expect(verdict(503, '', wait)).toEqual(['throttled', 'service_busy', 'throttled', 5_000])
    expect(verdict(413, '', wait)).toEqual(['permanent', 'too_large', 'throttled', 5_000])
    expect(verdict(200, maxlag, wait)).toEqual(['throttled', 'maxlag', 'throttled', 5_000])
    expect(verdict(503, maxlag, wait)).toEqual(['throttled', 'maxlag', 'throttled', 5_000])
  })

  it.each([
    ['0', undefined],
    ['soon', undefined],
    ['7', 7_000],
    ['86400', 86_400_000],
  ])('takes 429 and 503 with Retry-After %j as throttled, whatever the value', (value, waitMs) => {
    const headers = { 'retry-after': value }
    expect(verdict(429, '', headers)).toEqual([
      'throttled',
      'too_many_requests',
      'throttled',
      waitMs,
    ])
    expect(verdict(503, '', headers)).toEqual(['throttled', 'service_busy', 'throttled', waitMs])
  })

  it('reads X-RateLimit-Reset on a refusal, and never on an overload', () => {
    const headers = { 'x-ratelimit-reset': '30', 'x-ratelimit-remaining': '0' }
    expect(verdict(429, '', headers)[3]).toBe(30_000)
    expect(verdict(503, '', headers)).toEqual([
      'transient',
      'service_unavailable',
      'overload',
      undefined,
    ])
    expect(verdict(200, '{}', headers)).toEqual(['ok', null, 'ok', undefined])
  })

  it('finds MediaWiki codes in the header, in error and in errors', () => {
    const errors = JSON.stringify({ errors: [{ code: 'ratelimited' }] })
    expect(verdict(200, errors).slice(0, 2)).toEqual(['throttled', 'ratelimited'])
    expect(verdict(200, '{}', { 'mediawiki-api-error': 'maxlag' }).slice(0, 2)).toEqual([
      'throttled',
      'maxlag',
    ])
    const internal = JSON.stringify({ error: { code: 'internal_api_error_DBQueryError' } })
    expect(verdict(200, internal).slice(0, 2)).toEqual(['transient', 'internal_api_error'])
    const unknown = JSON.stringify({ error: { code: 'no-such-entity' } })
    expect(verdict(200, unknown)[0]).toBe('ok')
    const bodyText = JSON.stringify({ error: { code: 'constructor' } })
    expect(classifyResponse({ status: 200, headers: {}, bodyText }, nowMs).fault).toBeNull()
  })

  it('case 16: pages in place of JSON are a throttle, a block or an error by what they say', () => {
    expect(verdict(200, html('Welcome')).slice(0, 3)).toEqual([
      'transient',
      'html_answer',
      'neutral',
    ])
    expect(verdict(200, html('Too Many Requests')).slice(0, 3)).toEqual([
      'throttled',
      'block_page',
      'throttled',
    ])
    expect(verdict(429, html('429')).slice(0, 2)).toEqual(['throttled', 'too_many_requests'])
    expect(verdict(403, html('Rate limit exceeded')).slice(0, 2)).toEqual([
      'throttled',
      'block_page',
    ])
    expect(verdict(403, html('Forbidden')).slice(0, 2)).toEqual(['endpoint', 'forbidden'])
  })

  it.each([
    [403, 'You have been banned until 2026-09-16T12:00:00Z'],
    [429, 'banned until tomorrow'],
    [200, `${html('Error')} banned until tomorrow`],
  ])('B27: status %d saying "banned until" pauses the run', (status, body) => {
    expect(verdict(status, body).slice(0, 2)).toEqual(['endpoint', 'banned'])
  })

  it('does not take data about bans or errors for one', () => {
    const answer = JSON.stringify({
      q0: { result: [{ id: 'Q1', description: 'banned until 1990', status: 'error' }] },
    })
    expect(verdict(200, answer)[0]).toBe('ok')
    const echo = JSON.stringify({ status: 'error', arguments: 'banned until 1990' })
    expect(verdict(403, echo)[1]).toBe('service_error')
  })

  it('case 17: error JSON with 200 or 403 is an error of the batch, not of the address', () => {
    const body = JSON.stringify({ status: 'error', message: 'x', arguments: { queries: '…' } })
    for (const status of [200, 403]) {
      expect(verdict(status, body).slice(0, 3)).toEqual(['transient', 'service_error', 'neutral'])
    }
  })
})
