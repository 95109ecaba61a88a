import { describe, expect, it } from 'vitest'
import { longestWaitMs } from '../../../src/core/retry-after.ts'
import { classifyResponse } from '../../../src/http/classify-response.ts'
import { generic } from '../../../src/http/classifiers/domain-classifier.ts'

const nowMs = Date.UTC(2026, 8, 15, 12)
const html = (title: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>read our rate limit rules</body></html>`

function verdict(
  status: number,
  bodyText = '',
  headers: Record<string, string> = {},
): readonly unknown[] {
  const answer = { status, headers, bodyText }
  const { outcome, fault } = classifyResponse(generic, answer, 40, nowMs)
  return [fault?.kind ?? 'ok', fault?.code ?? null, outcome.kind, outcome.retryAfterMs]
}

describe('an answer of a server we know nothing of', () => {
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

  it('R18: obeys Retry-After on 503 and on 413', () => {
    const wait = { 'retry-after': '5' }
    expect(verdict(503, '', wait)).toEqual(['throttled', 'service_busy', 'throttled', 5_000])
    expect(verdict(413, '', wait)).toEqual(['permanent', 'too_large', 'throttled', 5_000])
  })

  it.each([
    ['0', undefined],
    ['soon', undefined],
    ['7', 7_000],
    ['86400', 86_400_000],
  ])(
    'R2: takes 429 and 503 with Retry-After %j as throttled, whatever the value',
    (value, waitMs) => {
      const headers = { 'retry-after': value }
      expect(verdict(429, '', headers)).toEqual([
        'throttled',
        'too_many_requests',
        'throttled',
        waitMs,
      ])
      expect(verdict(503, '', headers)).toEqual(['throttled', 'service_busy', 'throttled', waitMs])
    },
  )

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

  it('waits for the reset of a limit of which the refusal says that nothing is left', () => {
    const headers = {
      'ratelimit-policy': '"minute";q=60;w=60, "day";q=900;w=86400',
      ratelimit: '"minute";r=0;t=20, "day";r=0;t=7200',
    }
    expect(verdict(429, '', headers)[3]).toBe(7_200_000)
    expect(verdict(429, '', { ...headers, 'retry-after': '30' })[3]).toBe(30_000)
    expect(verdict(429, '', { ...headers, 'retry-after': '' })[3]).toBeUndefined()
    const month = { ratelimit: '"month";r=0;t=2678400' }
    expect(verdict(429, '', month)[3]).toBe(longestWaitMs)
  })

  it('hands on what limits the answer names, good or bad', () => {
    const answer = { status: 200, headers: { 'ratelimit-policy': '"a";q=10;w=1' }, bodyText: '{}' }
    for (const status of [200, 404, 500]) {
      const { outcome } = classifyResponse(generic, { ...answer, status }, 40, nowMs)
      expect(outcome).toMatchObject({ latencyMs: 40, published: [{ quota: 10, windowMs: 1_000 }] })
    }
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
    [403, 'You have been banned until 2026-09-16T12:00:00Z, please respect …', 24 * 3_600_000],
    [403, html('banned until 2026-09-15T16:30:00.123456+02:00'), 2.5 * 3_600_000],
    [403, 'banned until 2026-09-15T11:00:00Z', 24 * 3_600_000],
    [429, 'banned until tomorrow', 24 * 3_600_000],
    [200, `${html('Error')} banned until tomorrow`, 24 * 3_600_000],
  ])(
    'B27: status %d saying %j pauses the run and parks the domain for %d ms',
    (status, body, waitMs) => {
      expect(verdict(status, body)).toEqual(['endpoint', 'banned', 'throttled', waitMs])
      expect(verdict(status, body, { 'retry-after': '60' })[3]).toBe(waitMs)
      expect(verdict(status, body, { 'retry-after': '172800' })[3]).toBe(172_800_000)
    },
  )

  it('B27: a 429 page with status 200 or 403 is a throttle, not content', () => {
    for (const status of [200, 403, 429]) {
      const seen = verdict(status, html('429 Too Many Requests'), { 'retry-after': '9' })
      expect(seen).toEqual(['throttled', expect.any(String), 'throttled', 9_000])
    }
  })

  it('measures the end of a ban by the clock of the server', () => {
    const body = 'banned until 2026-09-15T14:00:00Z'
    expect(verdict(403, body, { date: 'Tue, 15 Sep 2026 13:00:00 GMT' })[3]).toBe(3_600_000)
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
