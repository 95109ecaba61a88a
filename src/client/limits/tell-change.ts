import { findDomainLimit, listDomains } from '../../db/domain-limits.repo.ts'
import { type OutputFormat, printAnswer, say } from '../output.ts'
import { domainReport, reportData, type DomainReport } from './domain-report.ts'
import { knownText, nearDomain } from './known-domain.ts'
import type { LimitsContext } from './limits-context.ts'

/** Prints how the domain stands after a change, and from when on the change holds. */
export async function tellChange(
  context: LimitsContext,
  domain: string,
  output: OutputFormat,
  text: string,
): Promise<void> {
  const report = await domainReport(context, domain)
  printAnswer(output, reportData(report), () => `${domain}: ${text}`)
  say(fromWhen[report.limiter])
}

const fromWhen: Readonly<Record<DomainReport['limiter'], string>> = {
  running:
    'Its limiter was told; processes that send follow within seconds, those that wait within a minute.',
  not_running: 'No limiter of it runs now; it holds from the next request on.',
  silent: 'Its limiter was told, and follows as soon as a worker runs: ./record-linker doctor',
}

/** A limit for a domain nobody has asked yet is fine, unless another one was meant. */
export async function warnOfTypingError(
  { db }: Pick<LimitsContext, 'db'>,
  domain: string,
): Promise<void> {
  if ((await findDomainLimit(db, domain)) !== undefined) return
  const known = await listDomains(db)
  const near = nearDomain(domain, known)
  say(
    near === undefined
      ? `${domain} was never asked; it holds from its first request on. ${knownText(domain, known)}`
      : `${domain} was never asked. Did you mean ${near}?`,
  )
}
