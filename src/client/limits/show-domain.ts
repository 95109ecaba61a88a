import type { DomainFlags } from '../commands/limits.ts'
import { durationText } from '../../core/work-rate.ts'
import { policyFields } from '../../core/limiter/policy-bounds.ts'
import { printAnswer, say, tableText } from '../output.ts'
import { domainReport, reportData, type DomainReport } from './domain-report.ts'
import {
  ageText,
  breakerText,
  coolingText,
  modeText,
  rateText,
  refusedText,
} from './figures-text.ts'
import { unknownDomain } from './known-domain.ts'
import { withLimitsContext } from './limits-context.ts'

/** @throws UsageError `unknown_domain` */
export async function showDomain(domain: string, { output }: DomainFlags): Promise<void> {
  await withLimitsContext(async (context) => {
    const report = await domainReport(context, domain)
    if (!report.isKnown) throw await unknownDomain(context, domain)
    printAnswer(output, reportData(report), () => reportText(report, Date.now()))
    if (report.limiter === 'silent') say(SILENT)
    if (isParked(report)) say(`Ask it before: ./record-linker limits resume ${domain}`)
    say(
      report.pausedBecause === null
        ? `Change it: ./record-linker limits set ${domain} --max-rps N; hold it: ./record-linker limits pause ${domain}`
        : `Let it go on: ./record-linker limits resume ${domain}`,
    )
  })
}

function isParked({ snapshot }: DomainReport): boolean {
  return snapshot !== null && snapshot.parkedForMs !== null
}

/** Its limiter runs, so what it was told is not lost. */
const SILENT =
  'Its limiter runs, but no worker answers for it; these are the last figures. See: ./record-linker doctor'

/** @param nowMs of the clock on the wall here */
export function reportText(report: DomainReport, nowMs: number): string {
  const { policy, sources } = report
  const rows = policyFields.map((field) => [
    field,
    policy[field] === null ? 'none' : policy[field],
    sources[field] ?? '',
  ])
  return [
    report.domain,
    ...figureLines(report, nowMs).map(([name, text]) => `  ${name.padEnd(11)} ${text}`),
    '',
    tableText(['policy', 'value', 'from'], rows),
  ].join('\n')
}

function figureLines(
  { snapshot, ageMs, pausedBecause }: DomainReport,
  nowMs: number,
): readonly (readonly [string, string])[] {
  if (snapshot === null) {
    const paused: readonly [string, string][] =
      pausedBecause === null ? [] : [['paused', pausedBecause]]
    return [['figures', 'none: it was never asked'], ...paused]
  }
  const cooling = coolingText(snapshot, nowMs)
  const { totalRequests, throttledRequests, denied, retries } = snapshot
  return [
    ['figures', ageMs === 0 ? 'live' : ageText(ageMs)],
    ['rate', `${rateText(snapshot.fillRate)}, ${modeText(snapshot)}`],
    ['in flight', `${snapshot.inFlight} of ${snapshot.inFlightCap}, ${snapshot.waiting} waiting`],
    ['breaker', `${breakerText(snapshot)}, ${snapshot.consecutiveFails} failures in a row`],
    ...(cooling === '' ? [] : [['cooling', cooling] as const]),
    ['latency', latencyText(snapshot.avgLatency, snapshot.p95Latency)],
    ['errors', `${Math.round(snapshot.errorRate * 1000) / 10} % of the last requests`],
    [
      'requests',
      `${totalRequests} sent, ${snapshot.refusedRequests} refused (${refusedText(snapshot) || '0'} per 1000), ` +
        `${retries} retries; ${throttledRequests} waited over a second, ${denied} asks turned down`,
    ],
    ['processes', String(snapshot.workers)],
  ]
}

function latencyText(avgMs: number | null, p95Ms: number | null): string {
  if (avgMs === null) return 'not known yet'
  const p95 = p95Ms === null ? '' : `, 95 % within ${shortText(p95Ms)}`
  return `${shortText(avgMs)}${p95}`
}

function shortText(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : durationText(ms)
}
