import { domainKey } from '../../core/domain-key.ts'
import { type ParallelConfig, steadyRate } from '../../core/extract/parallel-config.ts'
import type { SourceProfile } from '../../core/extract/source-profile.ts'
import { changeDomainPolicy, findDomainLimit } from '../../db/domain-limits.repo.ts'
import type { ExtractStartFlags } from '../commands/extract.ts'
import { domainPolicy } from '../limits/domain-policy.ts'
import { fileLayers, limitsPlace, readLimitsFile } from '../limits/limits-file.ts'
import { policyChangeOf } from '../limits/policy-change.ts'
import { tellLimiter } from '../limits/tell-limiter.ts'
import type { MatchContext } from '../match/match-context.ts'
import { say } from '../output.ts'

type RateFlags = Pick<ExtractStartFlags, 'ratePerMinute' | 'ratePerSecond' | 'adaptive'>

/** The rates that were asked for, requests per second; null: none, so the limiter's own policy of the host holds. */
export function wantedRate(config: ParallelConfig, flags: RateFlags): number | null {
  const isGiven = flags.ratePerMinute !== undefined || flags.ratePerSecond !== undefined
  return isGiven || !flags.adaptive ? steadyRate(config) : null
}

/**
 * Rates become the policy of the source's host, as by `limits set`: whatever else asks it keeps to them too.
 * @throws UsageError `bad_policy`
 */
export async function setSourceRate(
  { config, client, db }: MatchContext,
  { baseUrl }: Pick<SourceProfile, 'baseUrl'>,
  parallel: ParallelConfig,
  flags: RateFlags,
): Promise<void> {
  const rate = wantedRate(parallel, flags)
  if (rate === null) return
  const domain = domainKey(baseUrl)
  const file = readLimitsFile(limitsPlace(config))
  const stored = (await findDomainLimit(db, domain))?.policy ?? null
  const text = String(rate)
  const change = policyChangeOf({
    domain,
    below: fileLayers(file, domain),
    stored,
    flags: {
      maxRps: text,
      initialRps: text,
      ...(rate < LEAST_RATE ? { minRps: text } : {}),
      ...(parallel.adaptiveRateLimiting ? adaptive(stored) : { strategy: 'fixed' }),
    },
  })
  await changeDomainPolicy(db, domain, change)
  const after = (await findDomainLimit(db, domain))?.policy ?? null
  await tellLimiter(client, domain, { kind: 'policy', policy: domainPolicy(file, domain, after) })
  say(`Limit of ${domain}: ${rate.toFixed(2)} requests/s; see ./record-linker limits ${domain}`)
}

/** Of a domain, unless set otherwise. */
const LEAST_RATE = 0.05

// Takes back what `--no-adaptive` had set; any other strategy was somebody's choice.
function adaptive(stored: Readonly<Record<string, unknown>> | null) {
  return stored?.['strategy'] === 'fixed' ? { strategy: 'default' } : {}
}
