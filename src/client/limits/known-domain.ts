import { distance } from 'fastest-levenshtein'
import { listDomains } from '../../db/domain-limits.repo.ts'
import { UsageError } from '../../errors.ts'
import type { LimitsContext } from './limits-context.ts'

const TYPING_ERRORS = 3
const SHOWN = 5

/** A domain nobody has asked and no limit was ever set for. */
export async function unknownDomain(
  { db, file }: Pick<LimitsContext, 'db' | 'file'>,
  domain: string,
): Promise<UsageError> {
  const known = [
    ...new Set([...(await listDomains(db)), ...file.entries.map(({ pattern }) => pattern)]),
  ]
  return new UsageError({
    code: 'unknown_domain',
    message: `${domain} was never asked, and no limit is set for it.`,
    hint: knownText(domain, known),
  })
}

/** The domain that was probably meant; undefined when none is near. */
export function nearDomain(domain: string, known: readonly string[]): string | undefined {
  // A server on another port is another domain, and the port is what people leave out.
  const host = hostOf(domain)
  const [sameHost] = known
    .filter((one) => one !== domain && hostOf(one) === host)
    .toSorted((a, b) => distance(domain, a) - distance(domain, b))
  if (sameHost !== undefined) return sameHost
  const related = known.find((one) => one.endsWith(`.${domain}`) || domain.endsWith(`.${one}`))
  const typed = known.find((one) => one !== domain && distance(one, domain) <= TYPING_ERRORS)
  return typed ?? related
}

function hostOf(domain: string): string {
  return domain.replace(/:\d+$/, '')
}

export function knownText(domain: string, known: readonly string[]): string {
  const near = nearDomain(domain, known)
  if (near !== undefined) return `Did you mean: ./record-linker limits ${near}`
  if (known.length === 0) return 'No domain was asked yet; a match asks the first.'
  const others = known.length > SHOWN ? ` and ${known.length - SHOWN} more` : ''
  return `Known are ${known.slice(0, SHOWN).join(', ')}${others}. See all: ./record-linker limits`
}
