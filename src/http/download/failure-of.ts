/** What it means for a download that no answer came, or that its body broke off. */
import type { FailureReason } from '../../core/download/failure-reason.ts'
import type { CallOutcome } from '../../core/limiter/permit.ts'

const byCode: Readonly<Record<string, FailureReason>> = {
  BLOCKED_ADDRESS: 'blocked-address',
  BLOCKED_PORT: 'blocked-port',
  CERT_HAS_EXPIRED: 'tls-expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls-self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls-self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls-name-mismatch',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls-incomplete-chain',
  UNABLE_TO_GET_ISSUER_CERT: 'tls-incomplete-chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls-incomplete-chain',
  EAI_AGAIN: 'dns-failed',
  ENOTFOUND: 'unknown-host',
  ECONNREFUSED: 'connect-failed',
  EADDRNOTAVAIL: 'connect-failed',
  EHOSTDOWN: 'connect-failed',
  EHOSTUNREACH: 'connect-failed',
  ENETDOWN: 'connect-failed',
  ENETUNREACH: 'connect-failed',
  ETIMEDOUT: 'connect-timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  UND_ERR_HEADERS_TIMEOUT: 'headers-timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
}

/** Of an error that came before the headers of an answer. */
export function failureOf(error: unknown): FailureReason {
  const code = errorCode(error)
  if (Object.hasOwn(byCode, code)) return byCode[code] ?? 'connection-reset'
  if (/CERT|SELF_SIGNED|UNABLE_TO_|^ERR_(?:SSL|TLS)|^EPROTO$/.test(code)) return 'tls-failed'
  return code.startsWith('HPE_') ? 'malformed-http' : 'connection-reset'
}

/** Of an error in the middle of a body: whatever broke it, the file is not whole. */
export function bodyFailureOf(error: unknown): FailureReason {
  return errorCode(error).startsWith('HPE_') ? 'malformed-http' : 'truncated'
}

/** What the limiter is told of it. */
export function outcomeOf(reason: FailureReason): CallOutcome['kind'] {
  switch (reason) {
    case 'throttled':
      return 'throttled'
    case 'server-error':
    case 'request-timeout':
    case 'headers-timeout':
    case 'total-timeout':
    case 'stalled':
    case 'too-slow':
      return 'overload'
    case 'connect-failed':
    case 'connect-timeout':
    case 'connection-reset':
    case 'dns-failed':
    case 'malformed-http':
    case 'truncated':
    case 'unknown-host':
      return 'failed'
    case 'suspended':
      return 'cancelled'
    default:
      return 'neutral'
  }
}

/** Completes "<address> …". */
export function failureText(reason: FailureReason): string {
  return texts[reason] ?? `could not be fetched (${reason})`
}

const texts: Partial<Record<FailureReason, string>> = {
  'blocked-address': 'is at an address that is not public',
  'blocked-port': 'is at a port that is not called',
  'connect-failed': 'cannot be connected to',
  'connect-timeout': 'did not accept a connection in time',
  'connection-reset': 'closed the connection',
  'dns-failed': 'could not be looked up in DNS',
  'headers-timeout': 'did not begin to answer in time',
  'headers-too-large': 'sent longer headers than allowed',
  'malformed-http': 'did not speak proper HTTP',
  'tls-expired': 'has a certificate that has expired',
  'tls-failed': 'could not be talked to over TLS',
  'tls-incomplete-chain': 'sends a certificate without those that vouch for it',
  'tls-name-mismatch': 'has a certificate of another name',
  'tls-self-signed': 'has a certificate that only it vouches for',
  'unknown-host': 'is not known to DNS',
  stalled: 'stopped in the middle of the file',
  suspended: 'was being asked while this process was suspended',
  throttled: 'asks us to wait',
  truncated: 'broke off in the middle of the file',
  'too-slow': 'sends more slowly than is waited for',
  'total-timeout': 'did not finish the file in time',
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError ? errorCode(error.errors[0]) : ''
}
