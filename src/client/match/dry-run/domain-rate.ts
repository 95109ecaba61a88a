import { domainKey } from '../../../core/domain-key.ts'
import type { DomainPace } from '../../../core/run-estimate.ts'
import type { Db } from '../../../db/connect.ts'
import { findDomainLimit } from '../../../db/domain-limits.repo.ts'
import { agedSnapshot } from '../../limits/aged-snapshot.ts'
import { domainPolicy } from '../../limits/domain-policy.ts'
import type { LimitsFile } from '../../limits/limits-file.ts'

/** How fast a domain is asked at present, by the last figures of its limiter, else by its policy. */
export interface DomainRate {
  readonly domain: string
  readonly pace: DomainPace
  readonly from: 'snapshot' | 'policy'
  /** Nothing is sent until an operator resumes it; null: it is not paused. */
  readonly pausedBecause: string | null
}

export async function domainRate(db: Db, file: LimitsFile, url: string): Promise<DomainRate> {
  const domain = domainKey(url)
  const kept = await findDomainLimit(db, domain)
  const policy = domainPolicy(file, domain, kept?.policy ?? null)
  const pausedBecause = kept?.pausedBecause ?? null
  const last = kept?.snapshot ?? null
  if (last === null) {
    const { initialRps, maxInFlight } = policy
    const pace = { ratePerSecond: initialRps, waitMs: 0, inFlight: maxInFlight, latencyMs: null }
    return { domain, pace, from: 'policy', pausedBecause }
  }
  const { fillRate, nextEarliest, inFlightCap, avgLatency } = agedSnapshot(
    last,
    kept?.ageMs ?? 0,
    null,
  )
  const pace = {
    ratePerSecond: Math.max(fillRate, policy.minRps),
    waitMs: nextEarliest,
    inFlight: Math.max(1, inFlightCap),
    latencyMs: avgLatency,
  }
  return { domain, pace, from: 'snapshot', pausedBecause }
}
