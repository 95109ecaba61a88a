/** Pause, resume and reset of a domain; all three hold whether its limiter runs or not. */
import { PAUSED_BY_USER } from '../../core/run-progress.ts'
import { forgetLearned, setDomainPause } from '../../db/domain-limits.repo.ts'
import { UsageError } from '../../errors.ts'
import { type DomainReport, domainReport } from './domain-report.ts'
import { unknownDomain } from './known-domain.ts'
import type { LimitsContext } from './limits-context.ts'
import { tellAndKeep } from './tell-limiter.ts'

/** Of the limiter's messages. */
const LONGEST_REASON = 500

/** @throws UsageError `bad_reason` */
export function checkReason(domain: string, reason: string = PAUSED_BY_USER): string {
  if (reason.trim() !== '' && reason.length <= LONGEST_REASON) return reason
  throw new UsageError({
    code: 'bad_reason',
    message: `--reason: found ${reason.length} characters, expected 1 to ${LONGEST_REASON}, not all blank.`,
    hint: `./record-linker limits pause ${domain} --reason "they asked us to stop until Monday"`,
  })
}

/** A domain nobody has asked yet can be paused too: its limiter then starts paused. */
export async function holdDomain(
  { client, db }: LimitsContext,
  domain: string,
  reason: string,
): Promise<void> {
  await tellAndKeep(client, domain, { kind: 'pause', reason }, () =>
    setDomainPause(db, domain, reason),
  )
}

/**
 * @returns how it stood before
 * @throws UsageError `unknown_domain`
 */
export async function releaseDomain(context: LimitsContext, domain: string): Promise<DomainReport> {
  const before = await knownReport(context, domain)
  const { client, db } = context
  await tellAndKeep(client, domain, { kind: 'resume' }, () => setDomainPause(db, domain, null))
  return before
}

/** @throws UsageError `unknown_domain` */
export async function forgetDomain(context: LimitsContext, domain: string): Promise<void> {
  await knownReport(context, domain)
  const { client, db } = context
  await tellAndKeep(client, domain, { kind: 'reset' }, () => forgetLearned(db, domain))
}

/** @throws UsageError `unknown_domain` */
export async function knownReport(context: LimitsContext, domain: string): Promise<DomainReport> {
  const report = await domainReport(context, domain)
  if (!report.isKnown) throw await unknownDomain(context, domain)
  return report
}
