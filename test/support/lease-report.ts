import type { LeaseGrant, LeaseReport } from '../../src/core/limiter/protocol.ts'

/** One report of a lease; what is not said is 0, and what was sent and cost adds up. */
export function reportFor(lease: LeaseGrant, counts: Partial<LeaseReport>): LeaseReport {
  const report = {
    leaseId: lease.leaseId,
    epoch: lease.epoch,
    sequence: 1,
    ok: 0,
    throttled: 0,
    overloaded: 0,
    failed: 0,
    neutral: 0,
    cancelled: 0,
    unused: 0,
    waited: 0,
    retries: 0,
    failuresInARow: 0,
    latency: { count: 0, meanMs: 0, p95Ms: 0 },
    ...counts,
  }
  const { ok, throttled, overloaded, failed, neutral, cancelled } = report
  const sent = ok + throttled + overloaded + failed + neutral + cancelled
  return { sent, cost: sent, ...report }
}
