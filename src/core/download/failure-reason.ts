/** Why an artifact was not fetched: a closed list, each with what the caller does. */

/**
 * `permanent` another try would help nothing; `transient` tried again after a while, a few times; `throttled` the host
 * wants us to wait, which costs no attempt; `unreachable` the request cannot have arrived, waits like throttled;
 * `disk` the queue pauses until there is space.
 */
export type FailureKind = 'permanent' | 'transient' | 'throttled' | 'unreachable' | 'disk'

export type FailureReason = keyof typeof kinds

const kinds = {
  // The bytes.
  truncated: 'transient',
  'unproven-end': 'transient',
  'wrong-type': 'permanent',
  'checksum-mismatch': 'permanent',
  'size-mismatch': 'permanent',
  'too-large': 'permanent',
  'too-small': 'permanent',
  empty: 'permanent',
  'bad-encoding': 'transient',
  'unknown-encoding': 'permanent',
  // How they came.
  'too-slow': 'transient',
  stalled: 'transient',
  'total-timeout': 'transient',
  'headers-timeout': 'transient',
  'connection-reset': 'transient',
  'malformed-http': 'transient',
  'headers-too-large': 'permanent',
  'unexpected-partial': 'transient',
  'unexpected-not-modified': 'transient',
  'range-refused': 'transient',
  // What the host says.
  throttled: 'throttled',
  'no-permit-soon': 'throttled',
  'bad-request': 'permanent',
  unauthorised: 'permanent',
  'credentials-unencrypted': 'permanent',
  forbidden: 'permanent',
  'not-found': 'permanent',
  gone: 'permanent',
  'legal-reasons': 'permanent',
  'client-error': 'permanent',
  'request-timeout': 'transient',
  'server-error': 'transient',
  'robots-refused': 'permanent',
  // Where it leads.
  'no-plan': 'permanent',
  'not-stored': 'permanent',
  'bad-url': 'permanent',
  'bad-redirect': 'permanent',
  'downgrade-refused': 'permanent',
  'redirect-loop': 'permanent',
  'too-many-redirects': 'permanent',
  'blocked-address': 'permanent',
  'blocked-port': 'permanent',
  // The way there.
  'unknown-host': 'transient',
  'dns-failed': 'unreachable',
  'connect-failed': 'unreachable',
  'connect-timeout': 'unreachable',
  suspended: 'unreachable',
  'tls-expired': 'permanent',
  'tls-self-signed': 'permanent',
  'tls-name-mismatch': 'permanent',
  'tls-incomplete-chain': 'permanent',
  'tls-failed': 'permanent',
  // This machine.
  'disk-full': 'disk',
} as const satisfies Readonly<Record<string, FailureKind>>

/** What a failure means for the caller. */
export function failureKind(reason: FailureReason): FailureKind {
  return kinds[reason]
}

/** Another way to the same artifact could do better: all that is not about this machine or a host that asks to wait. */
export function triesNextPlan(reason: FailureReason): boolean {
  return kinds[reason] === 'permanent' || reason === 'unknown-host'
}

/** True for a word of the closed list, as it is stored. */
export function isFailureReason(word: string): word is FailureReason {
  return Object.hasOwn(kinds, word)
}
