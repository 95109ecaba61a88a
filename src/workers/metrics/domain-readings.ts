import { MOST_NAMES, OTHER_NAMES } from '../../core/metrics/bounded-label.ts'
import { standingMetrics } from '../../core/metrics/standing-metrics.ts'
import type { DomainLimit } from '../../db/domain-limits.repo.ts'
import type { Reading } from './gauge-board.ts'

/** A label for each would be without bounds: downloads ask thousands of hosts. */
export const MOST_DOMAINS = MOST_NAMES

/** What a limiter said last is about now, ms: it says more every 5 s while anybody asks. */
const FRESH_MS = 60_000
/** After its time an open breaker is tried again, if anybody asks, ms. */
const TRIED_AGAIN_MS = 300_000

/** @param isConfigured whether a domain has a label of its own; of these the first 50 have */
export function domainReadings(
  limits: readonly DomainLimit[],
  isConfigured: (limit: DomainLimit) => boolean,
): readonly Reading[] {
  const own = limits.filter(isConfigured).slice(0, MOST_DOMAINS)
  const others = limits.filter((limit) => !own.includes(limit))
  return [
    ...own.flatMap((limit) => readingsOf(limit.domain, [limit])),
    ...(others.length === 0 ? [] : readingsOf(OTHER_NAMES, others)),
  ]
}

function readingsOf(domain: string, limits: readonly DomainLimit[]): readonly Reading[] {
  const sum = (value: (limit: DomainLimit) => number) =>
    limits.reduce((total, limit) => total + value(limit), 0)
  const isFresh = ({ ageMs }: DomainLimit) => ageMs !== null && ageMs < FRESH_MS
  const { rate, inFlight, waiting, breakerOpen, paused, sent, refused } = standingMetrics
  const readings: readonly (readonly [Reading['metric'], number])[] = [
    [rate, sum((limit) => (isFresh(limit) ? (limit.snapshot?.fillRate ?? 0) : 0))],
    [inFlight, sum((limit) => (isFresh(limit) ? (limit.snapshot?.inFlight ?? 0) : 0))],
    [waiting, sum((limit) => (isFresh(limit) ? (limit.snapshot?.waiting ?? 0) : 0))],
    [breakerOpen, sum((limit) => (isBreakerOpen(limit) ? 1 : 0))],
    [paused, sum(({ pausedBecause }) => (pausedBecause === null ? 0 : 1))],
    [sent, sum(({ snapshot }) => snapshot?.totalRequests ?? 0)],
    [refused, sum(({ snapshot }) => snapshot?.refusedRequests ?? 0)],
  ]
  return readings.map(([metric, value]) => ({ metric, value, labels: { domain } }))
}

/** Half open is open too: one request is tried, and the others wait. When nobody asks any more, nobody cares. */
function isBreakerOpen({ snapshot, ageMs }: DomainLimit): boolean {
  if (snapshot === null || ageMs === null || snapshot.state === 'closed') return false
  return ageMs < snapshot.nextEarliest + TRIED_AGAIN_MS
}
