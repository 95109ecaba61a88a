/** A limiter under test: `step` with a clock that is moved by hand, at a rate that is known unless the test says otherwise. */
import { initialState, type LimiterState } from '../../../../src/core/limiter/limiter-state.ts'
import { defaultPolicy, type DomainPolicy } from '../../../../src/core/limiter/policy.ts'
import type {
  AcquireReply,
  AcquireRequest,
  LeaseGrant,
  LeaseReport,
} from '../../../../src/core/limiter/protocol.ts'
import { step, type LimiterEvent } from '../../../../src/core/limiter/step.ts'
import { reportFor } from '../../../support/lease-report.ts'

export class LimiterAt {
  state: LimiterState
  nowMs: number
  /** What chance says, unless the test says otherwise. */
  random = 0
  #requests = 0

  constructor(policy: Partial<DomainPolicy> = {}, startMs = 1_700_000_000_000) {
    this.nowMs = startMs
    this.state = initialState(
      'example.org',
      { ...defaultPolicy('example.org'), strategy: 'fixed', maxInFlight: 100, ...policy },
      startMs,
    )
    this.send({ kind: 'restored', saved: null })
  }

  send(event: LimiterEvent, random = this.random): AcquireReply | undefined {
    const result = step(this.state, event, this.nowMs, random)
    this.state = result.state
    return result.replies[0]
  }

  acquire(worker: string, permits: number, more: Partial<AcquireRequest> = {}): AcquireReply {
    this.#requests += 1
    const request: AcquireRequest = {
      worker,
      requestId: `${worker}-${this.#requests}`,
      wants: permits > 0 ? [{ project: '1', permits }] : [],
      inFlight: 0,
      reports: [],
      ...more,
    }
    const reply = this.send({ kind: 'acquire', request })
    if (reply === undefined) throw new Error('an acquire without a reply')
    return reply
  }

  /** Tells of a lease without asking for another. */
  report(worker: string, lease: LeaseGrant, counts: Partial<LeaseReport>, inFlight = 0): void {
    this.acquire(worker, 0, { reports: [reportFor(lease, counts)], inFlight })
  }

  refused(lease: LeaseGrant, retryAfterMs: number | null, random = this.random, agoMs = 0): void {
    const { leaseId, epoch } = lease
    const notice = { leaseId, epoch, agoMs, retryAfterMs, reports: [] }
    this.send({ kind: 'refused', notice }, random)
  }

  release(worker: string, lease: LeaseGrant, counts: Partial<LeaseReport> = {}): void {
    const reports = Object.keys(counts).length === 0 ? [] : [reportFor(lease, counts)]
    const request = { worker, requestId: 'r', leaseIds: [lease.leaseId], inFlight: 0, reports }
    this.send({ kind: 'release', request })
  }

  granted(worker: string, permits: number, more: Partial<AcquireRequest> = {}): LeaseGrant {
    const reply = this.acquire(worker, permits, more)
    if (!reply.granted) throw new Error(`refused: ${JSON.stringify(reply)}`)
    return reply
  }
}
