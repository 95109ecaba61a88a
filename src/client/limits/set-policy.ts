import type { DomainPolicy } from '../../core/limiter/policy.ts'
import { policyFields } from '../../core/limiter/policy-bounds.ts'
import { changeDomainPolicy, findDomainLimit } from '../../db/domain-limits.repo.ts'
import type { SetFlags } from '../commands/limits.ts'
import { say } from '../output.ts'
import { domainPolicy, policyLayers } from './domain-policy.ts'
import { fileLayers } from './limits-file.ts'
import { withLimitsContext } from './limits-context.ts'
import { policyChangeOf } from './policy-change.ts'
import { tellChange, warnOfTypingError } from './tell-change.ts'
import { tellLimiter } from './tell-limiter.ts'

/** Changes the policy of a domain, asked before or not; a limiter that runs follows at once. */
export async function setPolicy(domain: string, flags: SetFlags): Promise<void> {
  await withLimitsContext(async (context) => {
    const { client, db, file } = context
    await warnOfTypingError(context, domain)
    const before = (await findDomainLimit(db, domain))?.policy ?? null
    const below = fileLayers(file, domain)
    await changeDomainPolicy(db, domain, policyChangeOf({ domain, flags, below, stored: before }))
    // Written first, and only by commands: a limiter that starts meanwhile reads it.
    const after = (await findDomainLimit(db, domain))?.policy ?? null
    const policy = domainPolicy(file, domain, after)
    await tellLimiter(client, domain, { kind: 'policy', policy })
    const text = changeText(domainPolicy(file, domain, before), policy)
    await tellChange(context, domain, flags.output, text)
    const isSet = policyLayers(file, domain, after).some(
      ({ override }) => Object.keys(override).length > 0,
    )
    say(
      isSet
        ? `All of it, and where each value is from: ./record-linker limits ${domain}`
        : 'Nothing of it is set any more; the shipped policy holds.',
    )
  })
}

/** `maxRps 20 → 5, minRps 0.05 → 1.` */
export function changeText(before: DomainPolicy, after: DomainPolicy): string {
  const changed = policyFields
    .filter((field) => before[field] !== after[field])
    .map((field) => `${field} ${before[field] ?? 'none'} → ${after[field] ?? 'none'}`)
  return changed.length === 0 ? 'as it was.' : `${changed.join(', ')}.`
}
