import type { DomainSnapshot } from '../../../../src/core/limiter/protocol.ts'

/** The snapshot of a domain that is sending. */
export const sending: DomainSnapshot = {
  domain: 'example.org',
  fillRate: 3.333,
  tokens: 6,
  avgLatency: 31.2,
  p95Latency: 123,
  errorRate: 0.01,
  state: 'closed',
  consecutiveFails: 0,
  nextEarliest: 0,
  strategy: 'adaptive',
  mode: 'hold',
  inFlight: 2,
  inFlightCap: 4,
  waiting: 12,
  totalRequests: 4_000,
  throttledRequests: 7,
  denied: 3,
  retries: 5,
  refusedRequests: 2,
  hold: null,
  parkedForMs: null,
  pausedBecause: null,
  workers: 2,
}

/** The same told by the server to wait. */
export const told: DomainSnapshot = { ...sending, hold: 'retry_after', nextEarliest: 60_000 }
