/** The stored figures of all domains; no limiter is asked. */
import type { DomainSnapshot } from '../../core/limiter/protocol.ts'
import type { Db } from '../../db/connect.ts'
import {
  type DomainLimit,
  type DomainLimitTotals,
  listDomainLimits,
  sumDomainLimits,
} from '../../db/domain-limits.repo.ts'
import { agedSnapshot } from './aged-snapshot.ts'

/** The part of a snapshot that `limits -o json` shows of each domain: the source document's, and no more. */
export type DomainSample = Pick<
  DomainSnapshot,
  | 'domain'
  | 'fillRate'
  | 'tokens'
  | 'avgLatency'
  | 'p95Latency'
  | 'errorRate'
  | 'state'
  | 'consecutiveFails'
  | 'nextEarliest'
>

/** All domains together, and the ones asked last. */
export interface LimiterSnapshot extends DomainLimitTotals {
  readonly domains: readonly DomainSample[]
}

export interface LimitsRead {
  /** The ones asked last first. */
  readonly limits: readonly DomainLimit[]
  readonly snapshot: LimiterSnapshot
}

/** @param most domains */
export async function readLimits(db: Db, most: number): Promise<LimitsRead> {
  const limits = await listDomainLimits(db, most)
  const domains = limits.flatMap(sampleOf)
  return { limits, snapshot: { ...(await sumDomainLimits(db)), domains } }
}

export function sampleOf(limit: DomainLimit): readonly DomainSample[] {
  const snapshot = agedOf(limit)
  if (snapshot === null) return []
  const { domain, fillRate, tokens, avgLatency, p95Latency, errorRate } = snapshot
  const { state, consecutiveFails, nextEarliest } = snapshot
  const measured = { domain, fillRate, tokens, avgLatency, p95Latency, errorRate }
  return [{ ...measured, state, consecutiveFails, nextEarliest }]
}

/** As it is by now; null: it was never asked. */
export function agedOf({ snapshot, ageMs, pausedBecause }: DomainLimit): DomainSnapshot | null {
  return snapshot === null ? null : agedSnapshot(snapshot, ageMs ?? 0, pausedBecause)
}
