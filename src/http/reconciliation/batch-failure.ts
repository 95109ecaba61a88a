/** What a failed batch may be due to, and so what is done next: one table. Pure. */
import type { OutsideCallError } from '../../errors.ts'

/**
 * `too_large` the batch, for sure; `slow` perhaps its size, perhaps one query, perhaps the service;
 * `query` perhaps one query, perhaps the service; `service` the service itself, however it is asked.
 */
export type BatchFault = 'too_large' | 'slow' | 'query' | 'service'

const faults: Readonly<Record<string, BatchFault>> = {
  too_large: 'too_large',
  uri_too_long: 'too_large',
  body_too_large: 'too_large',
  bad_gateway: 'slow',
  gateway_timeout: 'slow',
  request_timeout: 'slow',
  headers_timeout: 'slow',
  body_timeout: 'slow',
  total_timeout: 'slow',
  query_timeout: 'slow',
  bad_request: 'query',
  rejected: 'query',
  server_error: 'query',
  service_error: 'query',
  malformed_answer: 'query',
  // Often a kept connection that the server had just closed: no evidence on size.
  connection_reset: 'query',
}

export function batchFault(error: OutsideCallError): BatchFault {
  if (error.kind !== 'transient' && error.kind !== 'permanent') return 'service'
  // Some APIs name their refusals themselves.
  const unlisted = error.kind === 'permanent' ? 'query' : 'service'
  return Object.hasOwn(faults, error.code) ? (faults[error.code] ?? unlisted) : unlisted
}
