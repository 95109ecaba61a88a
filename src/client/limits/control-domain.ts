/** The commands that pause, resume and reset a domain by hand. */
import type { DomainFlags, PauseFlags } from '../commands/limits.ts'
import { say } from '../output.ts'
import { checkReason, forgetDomain, holdDomain, releaseDomain } from './hold-domain.ts'
import { withLimitsContext } from './limits-context.ts'
import { tellChange, warnOfTypingError } from './tell-change.ts'

/** A domain nobody has asked yet can be paused too: its limiter then starts paused. */
export async function pauseDomain(domain: string, flags: PauseFlags): Promise<void> {
  const reason = checkReason(domain, flags.reason)
  await withLimitsContext(async (context) => {
    await warnOfTypingError(context, domain)
    await holdDomain(context, domain, reason)
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
    const before = await releaseDomain(context, domain)
    if (before.pausedBecause === null) say('It was not paused by hand.')
    await tellChange(context, domain, output, 'may be asked again.')
    say(`How it goes: ./record-linker limits ${domain}`)
  })
}

/** @throws UsageError `unknown_domain` */
export async function resetDomain(domain: string, { output }: DomainFlags): Promise<void> {
  await withLimitsContext(async (context) => {
    await forgetDomain(context, domain)
    await tellChange(context, domain, output, 'what was learned is forgotten; its policy stays.')
    say(`To forget what was set, too: ./record-linker limits set ${domain} --reset-to-default`)
    say(`How it goes: ./record-linker limits ${domain}`)
  })
}
