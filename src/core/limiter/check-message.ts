/** Refuses malformed and absurd messages before they reach a limiter's state; messages come over the wire. */
import {
  LONGEST_DURATION_MS,
  type AcquireRequest,
  type LeaseReport,
  type PauseDomainRequest,
  type PublishedLimit,
  type RefusedNotice,
  type ReleaseRequest,
  type SetPolicyRequest,
} from './protocol.ts'

const MAX_NAME = 100
const MAX_PROJECTS = 16
const MAX_REPORTS = 64
const MAX_PUBLISHED = 4
const MAX_COUNT = 1_000_000

/** What is wrong, as "found … expected …"; undefined when nothing is. */
export type Problem = string | undefined

export function problemOfAcquire(request: AcquireRequest): Problem {
  if (!isObject(request)) return found('request', request, 'an object')
  const { worker, requestId, wants } = request
  if (!Array.isArray(wants) || wants.length > MAX_PROJECTS) {
    return found('wants', wants, `a list of at most ${MAX_PROJECTS}`)
  }
  const claims = new Set(wants.map((want) => `${want?.priority ?? 'normal'} ${want?.project}`))
  if (claims.size < wants.length) return found('wants', wants, 'each project once a priority')
  return (
    problemOfName('worker', worker) ??
    problemOfName('requestId', requestId) ??
    problemOfCount('inFlight', request.inFlight) ??
    optional(request.roundTripMs, (ms) => problemOfDuration('roundTripMs', ms)) ??
    first(wants, (want) =>
      isObject(want)
        ? (problemOfName('project', want.project) ??
          problemOfCount('permits', want.permits) ??
          problemOfWeight(want.weight) ??
          problemOfPriority(want.priority))
        : found('wants', want, 'objects'),
    ) ??
    problemOfReports(request.reports)
  )
}

export function problemOfRelease(request: ReleaseRequest): Problem {
  if (!isObject(request)) return found('request', request, 'an object')
  const { leaseIds } = request
  if (!Array.isArray(leaseIds) || leaseIds.length > MAX_REPORTS) {
    return found('leaseIds', leaseIds, `a list of at most ${MAX_REPORTS}`)
  }
  return (
    first(leaseIds, (id) => problemOfName('leaseIds', id)) ??
    problemOfName('worker', request.worker) ??
    problemOfName('requestId', request.requestId) ??
    problemOfCount('inFlight', request.inFlight) ??
    problemOfReports(request.reports)
  )
}

export function problemOfNotice(notice: RefusedNotice): Problem {
  if (!isObject(notice)) return found('notice', notice, 'an object')
  return (
    problemOfName('leaseId', notice.leaseId) ??
    problemOfCount('epoch', notice.epoch) ??
    problemOfDuration('agoMs', notice.agoMs) ??
    (notice.retryAfterMs === null
      ? undefined
      : problemOfDuration('retryAfterMs', notice.retryAfterMs)) ??
    problemOfReports(notice.reports)
  )
}

export function problemOfPause(request: PauseDomainRequest): Problem {
  return isObject(request) && typeof request.reason === 'string' && request.reason.length <= 500
    ? undefined
    : found('pause', request, 'an object with a reason of at most 500 characters')
}

/** Bounds of its fields are checked where a policy is made (`policy-bounds.ts`); here only that it is one. */
export function problemOfPolicy(request: SetPolicyRequest): Problem {
  const policy: unknown = request?.policy
  const rates = isObject(policy)
    ? [request.policy.minRps, request.policy.maxRps, request.policy.slotMs]
    : []
  return rates.length > 0 && rates.every((rate) => Number.isFinite(rate) && rate > 0)
    ? undefined
    : found('policy', policy, 'a whole policy with rates above 0')
}

function problemOfReports(reports: readonly LeaseReport[]): Problem {
  if (!Array.isArray(reports) || reports.length > MAX_REPORTS) {
    return found('reports', reports, `a list of at most ${MAX_REPORTS}`)
  }
  return first(reports, problemOfReport)
}

function problemOfReport(report: LeaseReport): Problem {
  if (!isObject(report)) return found('report', report, 'an object')
  const { sent, ok, throttled, overloaded, failed, neutral, cancelled, unused } = report
  const counts = { sent, ok, throttled, overloaded, failed, neutral, cancelled, unused }
  const { epoch, sequence, failuresInARow, waited, retries } = report
  const problem =
    problemOfName('leaseId', report.leaseId) ??
    first(
      Object.entries({ ...counts, epoch, sequence, failuresInARow, waited, retries }),
      ([name, value]) => problemOfCount(name, value),
    ) ??
    (Number.isFinite(report.cost) && report.cost >= 0
      ? undefined
      : found('cost', report.cost, 'a number of at least 0')) ??
    problemOfLatency(report.latency) ??
    optional(report.throttledAgoMs, (ms) => problemOfDuration('throttledAgoMs', ms)) ??
    optional(report.retryAfterMs, (ms) => problemOfDuration('retryAfterMs', ms)) ??
    optional(report.published, problemOfPublishedList) ??
    optional(report.owed, problemOfOwed)
  if (problem !== undefined) return problem
  const outcomes = ok + throttled + overloaded + failed + neutral + cancelled
  return outcomes === sent ? undefined : found('sent', sent, `the sum of its outcomes, ${outcomes}`)
}

function problemOfLatency(latency: LeaseReport['latency']): Problem {
  if (!isObject(latency)) return found('latency', latency, 'an object')
  return (
    problemOfCount('latency.count', latency.count) ??
    problemOfDuration('latency.meanMs', latency.meanMs) ??
    problemOfDuration('latency.p95Ms', latency.p95Ms) ??
    optional(latency.leastMs, (ms) => problemOfDuration('latency.leastMs', ms))
  )
}

function problemOfPublishedList(published: readonly PublishedLimit[]): Problem {
  return Array.isArray(published) && published.length <= MAX_PUBLISHED
    ? first(published, problemOfPublished)
    : found('published', published, `a list of at most ${MAX_PUBLISHED}`)
}

function problemOfOwed(owed: NonNullable<LeaseReport['owed']>): Problem {
  if (!Array.isArray(owed) || owed.length > MAX_PROJECTS) {
    return found('owed', owed, `a list of at most ${MAX_PROJECTS}`)
  }
  return first(owed, (one) =>
    Array.isArray(one) && Number.isFinite(one[1]) && Math.abs(one[1]) <= MAX_COUNT
      ? problemOfName('owed', one[0])
      : found('owed', one, 'a project and a finite number'),
  )
}

function problemOfPublished(published: PublishedLimit): Problem {
  if (!isObject(published)) return found('published', published, 'an object')
  return (
    problemOfCount('published.quota', published.quota) ??
    problemOfDuration('published.windowMs', published.windowMs) ??
    optional(published.remaining, (count) => problemOfCount('published.remaining', count)) ??
    optional(published.resetMs, (ms) => problemOfDuration('published.resetMs', ms))
  )
}

function problemOfName(name: string, value: unknown): Problem {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME
    ? undefined
    : found(name, value, `1 to ${MAX_NAME} characters`)
}

function problemOfCount(name: string, value: unknown): Problem {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_COUNT
    ? undefined
    : found(name, value, `a whole number from 0 to ${MAX_COUNT}`)
}

function problemOfWeight(weight: unknown): Problem {
  const fits = typeof weight === 'number' && weight > 0 && weight <= 1000
  return weight === undefined || fits
    ? undefined
    : found('weight', weight, 'above 0, at most 1,000')
}

function problemOfPriority(priority: unknown): Problem {
  const known: readonly unknown[] = ['interactive', 'high', 'normal', 'background', undefined]
  return known.includes(priority)
    ? undefined
    : found('priority', priority, 'interactive, high, normal or background')
}

function problemOfDuration(name: string, value: unknown): Problem {
  return typeof value === 'number' && value >= 0 && value <= LONGEST_DURATION_MS
    ? undefined
    : found(name, value, `ms from 0 to ${LONGEST_DURATION_MS}`)
}

function optional<T>(value: T | undefined, problemOf: (value: T) => Problem): Problem {
  return value === undefined ? undefined : problemOf(value)
}

function first<T>(values: readonly T[], problemOf: (value: T) => Problem): Problem {
  for (const value of values) {
    const problem = problemOf(value)
    if (problem !== undefined) return problem
  }
  return undefined
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function found(name: string, value: unknown, expected: string): string {
  return `${name}: found ${JSON.stringify(value)?.slice(0, 100) ?? 'nothing'}, expected ${expected}`
}
