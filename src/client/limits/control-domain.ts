/** Pause, resume and reset of a domain by hand; all three hold whether its limiter runs or not. */
import { PAUSED_BY_USER } from '../../core/run-progress.ts'
import { forgetLearned, setDomainPause } from '../../db/domain-limits.repo.ts'
import { UsageError } from '../../errors.ts'
import type { DomainFlags, PauseFlags } from '../commands/limits.ts'
import { say } from '../output.ts'
import { domainReport } from './domain-report.ts'
import { unknownDomain } from './known-domain.ts'
import { type LimitsContext, withLimitsContext } from './limits-context.ts'
import { tellChange, warnOfTypingError } from './tell-change.ts'
import { tellAndKeep } from './tell-limiter.ts'

/** Of the limiter's messages. */
const LONGEST_REASON = 500

/** A domain nobody has asked yet can be paused too: its limiter then starts paused. */
export async function pauseDomain(domain: string, flags: PauseFlags): Promise<void> {
  const reason = flags.reason ?? PAUSED_BY_USER
  if (reason.trim() === '' || reason.length > LONGEST_REASON) {
    throw new UsageError({
      code: 'bad_reason',
      message: `--reason: found ${reason.length} characters, expected 1 to ${LONGEST_REASON}, not all blank.`,
      hint: `./record-linker limits pause ${domain} --reason "they asked us to stop until Monday"`,
    })
  }
  await withLimitsContext(async (context) => {
    await warnOfTypingError(context, domain)
    const { client, db } = context
    await tellAndKeep(client, domain, { kind: 'pause', reason }, () =>
      setDomainPause(db, domain, reason),
    )
    await tellChange(
      context,
      domain,
      flags.output,
      `paused (${reason}): nothing more is sent to it.`,
    )
    say(`Let it go on: ./record-linker limits resume ${domain}`)
  })
}

/** @throws UsageError `unknown_domain` */
export async function resumeDomain(domain: string, { output }: DomainFlags): Promise<void> {
  await withLimitsContext(async (context) => {
    const before = await knownReport(context, domain)
    const { client, db } = context
    await tellAndKeep(client, domain, { kind: 'resume' }, () => setDomainPause(db, domain, null))
    if (before.pausedBecause === null) say('It was not paused by hand.')
    await tellChange(context, domain, output, 'may be asked again.')
    say(`How it goes: ./record-linker limits ${domain}`)
  })
}

/** @throws UsageError `unknown_domain` */
export async function resetDomain(domain: string, { output }: DomainFlags): Promise<void> {
  await withLimitsContext(async (context) => {
    await knownReport(context, domain)
    const { client, db } = context
    await tellAndKeep(client, domain, { kind: 'reset' }, () => forgetLearned(db, domain))
    await tellChange(context, domain, output, 'what was learned is forgotten; its policy stays.')
    say(`How it goes: ./record-linker limits ${domain}`)
  })
}

async function knownReport(context: LimitsContext, domain: string) {
  const report = await domainReport(context, domain)
  if (!report.isKnown) throw await unknownDomain(context, domain)
  return report
}
