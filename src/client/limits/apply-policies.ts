import type { Client } from '@temporalio/client'
import type { Db } from '../../db/connect.ts'
import { findDomainLimit, listRecentDomains } from '../../db/domain-limits.repo.ts'
import { domainPolicy } from './domain-policy.ts'
import type { LimitsFile } from './limits-file.ts'
import { tellLimiter } from './tell-limiter.ts'

/** A limiter that still runs was seen within this time: its idle time is a day at most. */
const RECENT_MS = 25 * 60 * 60 * 1000

/**
 * Gives every limiter that runs the policy it should have: limiters outlive workers, so a changed file, or a
 * new release with other shipped policies, would reach them only after they have been idle.
 * @returns the domains whose limiters run
 */
export async function applyPolicies(
  client: Client,
  db: Db,
  file: LimitsFile,
): Promise<readonly string[]> {
  const told: string[] = []
  for (const domain of await listRecentDomains(db, RECENT_MS)) {
    // Read just before: a command may be changing it.
    const stored = (await findDomainLimit(db, domain))?.policy ?? null
    const policy = domainPolicy(file, domain, stored)
    if (await tellLimiter(client, domain, { kind: 'policy', policy })) told.push(domain)
  }
  return told
}
