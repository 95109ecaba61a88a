import { describe, expect, it } from 'vitest'
import { classifyFailure, wasSuspended } from '../../../src/http/classify-failure.ts'

const failure = (code: string): Error => Object.assign(new Error(code), { code })

describe('classifyFailure', () => {
  it.each([
    ['ECONNREFUSED', 'unreachable', 'connection_refused', 'failed'],
    ['ENOTFOUND', 'unreachable', 'dns_failed', 'failed'],
    ['EAI_AGAIN', 'unreachable', 'dns_failed', 'failed'],
    ['ENETUNREACH', 'unreachable', 'no_route', 'failed'],
    ['EHOSTUNREACH', 'unreachable', 'no_route', 'failed'],
    ['UND_ERR_CONNECT_TIMEOUT', 'unreachable', 'connect_timeout', 'failed'],
    ['UND_ERR_HEADERS_TIMEOUT', 'transient', 'headers_timeout', 'overload'],
    ['UND_ERR_BODY_TIMEOUT', 'transient', 'body_timeout', 'overload'],
    ['ECONNRESET', 'transient', 'connection_reset', 'failed'],
    ['UND_ERR_SOCKET', 'transient', 'connection_reset', 'failed'],
    ['HPE_INVALID_CONSTANT', 'transient', 'malformed_http', 'neutral'],
    ['CERT_HAS_EXPIRED', 'endpoint', 'bad_certificate', 'failed'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'endpoint', 'bad_certificate', 'failed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'endpoint', 'bad_certificate', 'failed'],
    ['SOMETHING_NEW', 'transient', 'connection_failed', 'failed'],
  ])('%s is %s %s, reported as %s', (nodeCode, kind, code, outcome) => {
    expect(classifyFailure(failure(nodeCode))).toMatchObject({ kind, code, outcome })
  })

  it('reads the first of several addresses that were tried', () => {
    const error = new AggregateError([failure('ENETUNREACH'), failure('ECONNREFUSED')])
    expect(classifyFailure(error).code).toBe('no_route')
  })
})

describe('wasSuspended', () => {
  const totalTimeoutMs = 90_000

  it.each([
    ['an ordinary time-out', { wallMs: 90_050, monotonicMs: 90_000 }, false],
    ['a sleep that stops the monotonic clock', { wallMs: 40_000, monotonicMs: 10_000 }, true],
    ['a sleep that both clocks count', { wallMs: 600_000, monotonicMs: 600_000 }, true],
    ['a wall clock set back', { wallMs: -3_600_000, monotonicMs: 10_000 }, false],
  ])('%s', (_, elapsed, expected) => {
    expect(wasSuspended({ ...elapsed, totalTimeoutMs })).toBe(expected)
  })
})
