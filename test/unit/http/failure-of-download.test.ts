import { expect, it } from 'vitest'
import { failureKind } from '../../../src/core/download/failure-reason.ts'
import { bodyFailureOf, failureOf, outcomeOf } from '../../../src/http/download/failure-of.ts'

const coded = (code: string): Error => Object.assign(new Error('failed'), { code })

it.each([
  ['CERT_HAS_EXPIRED', 'tls-expired', 'permanent'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls-self-signed', 'permanent'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-name-mismatch', 'permanent'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-incomplete-chain', 'permanent'],
  ['CERT_REVOKED', 'tls-failed', 'permanent'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls-failed', 'permanent'],
])('rule 28: %s ends a download for good, as %s', (code, reason, kind) => {
  expect(failureOf(coded(code))).toBe(reason)
  expect(failureKind(failureOf(coded(code)))).toBe(kind)
})

it.each([
  ['ENOTFOUND', 'unknown-host', 'transient'],
  ['EAI_AGAIN', 'dns-failed', 'unreachable'],
  ['ECONNREFUSED', 'connect-failed', 'unreachable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect-timeout', 'unreachable'],
  ['UND_ERR_HEADERS_TIMEOUT', 'headers-timeout', 'transient'],
  ['UND_ERR_SOCKET', 'connection-reset', 'transient'],
  ['HPE_INVALID_CONSTANT', 'malformed-http', 'transient'],
])('rule 13: %s is %s, %s', (code, reason, kind) => {
  expect(failureOf(coded(code))).toBe(reason)
  expect(failureKind(failureOf(coded(code)))).toBe(kind)
})

it('of several addresses the first one counts', () => {
  expect(failureOf(new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]))).toBe(
    'connect-failed',
  )
})

it.each(['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ECONNRESET'])(
  'rule 2: %s within a body means that it is truncated',
  (code) => {
    expect(bodyFailureOf(coded(code))).toBe('truncated')
    expect(outcomeOf('truncated')).toBe('failed')
  },
)
