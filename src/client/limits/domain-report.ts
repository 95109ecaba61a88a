/** How one domain stands: figures from its limiter if one runs, else the last ones stored, and its policy. */
import type { DomainPolicy } from '../../core/limiter/policy.ts'
import { policySources } from '../../core/limiter/policy-layers.ts'
import type { DomainSnapshot } from '../../core/limiter/protocol.ts'
import { findDomainLimit, saveSnapshot } from '../../db/domain-limits.repo.ts'
import { agedSnapshot } from './aged-snapshot.ts'
import { domainPolicy, policyLayers } from './domain-policy.ts'
import type { LimitsContext } from './limits-context.ts'
import { liveSnapshot, type LiveSnapshot } from './live-snapshot.ts'

export interface DomainReport {
  readonly domain: string
  readonly limiter: LiveSnapshot['kind']
  /** Null when the domain was never asked. */
  readonly snapshot: DomainSnapshot | null
  /** Of the snapshot, ms; 0 when it is live, null without one. */
  readonly ageMs: number | null
  readonly pausedBecause: string | null
  readonly policy: DomainPolicy
  /** Where each field of the policy is from. */
  readonly sources: Readonly<Record<string, string>>
  /** Something is kept of it, or it is named in the file, or its limiter runs. */
  readonly isKnown: boolean
}

export async function domainReport(
  { client, db, file }: LimitsContext,
  domain: string,
): Promise<DomainReport> {
  const live = await liveSnapshot(client, domain)
  if (live.kind === 'running') await saveSnapshot(db, live.snapshot)
  const kept = await findDomainLimit(db, domain)
  const stored = kept?.policy ?? null
  const pausedBecause =
    live.kind === 'running' ? live.snapshot.pausedBecause : (kept?.pausedBecause ?? null)
  const last = kept?.snapshot ?? null
  const ageMs = kept?.ageMs ?? 0
  return {
    domain,
    limiter: live.kind,
    snapshot:
      live.kind === 'running'
        ? live.snapshot
        : last === null
          ? null
          : agedSnapshot(last, ageMs, pausedBecause),
    ageMs: live.kind === 'running' ? 0 : last === null ? null : ageMs,
    pausedBecause,
    policy: domainPolicy(file, domain, stored),
    sources: policySources(domain, policyLayers(file, domain, stored)),
    isKnown:
      kept !== undefined ||
      live.kind !== 'not_running' ||
      file.entries.some(({ pattern }) => pattern === domain),
  }
}

/** For programs: the snapshot's fields, the policy, and where each value that is not the shipped one is from. */
export function reportData(report: DomainReport): object {
  const { domain, limiter, snapshot, ageMs, pausedBecause, policy } = report
  return {
    domain,
    ...snapshot,
    pausedBecause,
    live: limiter === 'running',
    ageMs: ageMs === null ? null : Math.round(ageMs),
    policy,
    policySources: report.sources,
  }
}
