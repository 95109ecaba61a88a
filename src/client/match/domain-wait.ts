/** Why the domain that a run asks is sent nothing at present, seen from its limiter's stored figures. */
import { domainKey } from '../../core/domain-key.ts'
import { findDomainLimit, type DomainLimit } from '../../db/domain-limits.repo.ts'
import type { Db } from '../../db/connect.ts'
import { findProject } from '../../db/projects.repo.ts'
import { lastDomainOf } from '../../db/run-progress.repo.ts'
import type { Run } from '../../db/runs.repo.ts'
import { agedSnapshot } from '../limits/aged-snapshot.ts'
import { momentText } from '../moment-text.ts'
import { serviceAddress, type ServicePlaces } from './service-address.ts'

export type DomainWait =
  | { readonly kind: 'paused'; readonly domain: string; readonly because: string }
  | {
      /** The server named a wait, or fails so much that it is left alone for a while. */
      readonly kind: 'asked' | 'failing'
      readonly domain: string
      readonly forMs: number
      /** Longer than anybody watches. */
      readonly isParked: boolean
    }

/** Shorter ones are over before they are read. */
const SHOWN_FROM_MS = 1_000

/** What a look at a wait needs. */
export interface WaitPlaces extends ServicePlaces {
  readonly db: Db
}

export async function findDomainWait(places: WaitPlaces, run: Run): Promise<DomainWait | null> {
  const { db } = places
  const domain = (await lastDomainOf(db, run.id)) ?? (await serviceDomain(places, run.projectId))
  const limit = domain === null ? undefined : await findDomainLimit(db, domain)
  return limit === undefined ? null : domainWaitOf(limit)
}

export function domainWaitOf({
  domain,
  pausedBecause,
  snapshot,
  ageMs,
}: DomainLimit): DomainWait | null {
  if (pausedBecause !== null) return { kind: 'paused', domain, because: pausedBecause }
  if (snapshot === null) return null
  const { hold, nextEarliest, parkedForMs } = agedSnapshot(snapshot, ageMs ?? 0, null)
  if (nextEarliest < SHOWN_FROM_MS) return null
  const wait = { domain, forMs: nextEarliest, isParked: parkedForMs !== null }
  if (hold === 'retry_after') return { kind: 'asked', ...wait }
  return hold === 'breaker_open' ? { kind: 'failing', ...wait } : null
}

/**
 * `waiting for example.org until 14:03:20 (it asked us to wait)`.
 * @param nowMs of the clock on the wall here
 */
export function domainWaitText(wait: DomainWait, nowMs: number): string {
  if (wait.kind === 'paused') return `waiting for ${wait.domain} (paused: ${wait.because})`
  const until = momentText(nowMs + wait.forMs, nowMs)
  const parked = wait.isParked ? '; parked' : ''
  const why = wait.kind === 'asked' ? `it asked us to wait${parked}` : 'it fails; then it is tried'
  return `waiting for ${wait.domain} until ${until} (${why})`
}

/** What to do about it; empty when it passes soon by itself. */
export function endWaitText(wait: DomainWait): string {
  const command = `./record-linker limits resume ${wait.domain}`
  if (wait.kind === 'paused') return `Let it go on: ${command}`
  return wait.kind === 'asked' && wait.isParked
    ? `It goes on by itself then. To ask before: ${command}`
    : ''
}

/** Why a service is sent nothing at present, for the line of progress; empty: it is. */
export async function serviceWaitTexts(
  places: WaitPlaces,
  service: string,
): Promise<readonly string[]> {
  const domain = domainOf(places, service)
  const limit = domain === null ? undefined : await findDomainLimit(places.db, domain)
  const wait = limit === undefined ? null : domainWaitOf(limit)
  return wait === null ? [] : [domainWaitText(wait, Date.now())]
}

/** Before the first request. */
async function serviceDomain(places: WaitPlaces, projectId: number): Promise<string | null> {
  const project = await findProject(places.db, projectId)
  return project === undefined ? null : domainOf(places, project.settings.service)
}

function domainOf(places: ServicePlaces, service: string): string | null {
  const address = serviceAddress(service, places)
  return address === undefined ? null : domainKey(address)
}
