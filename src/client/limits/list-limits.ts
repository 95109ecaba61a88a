import type { DomainSnapshot } from '../../core/limiter/protocol.ts'
import {
  listDomainLimits,
  sumDomainLimits,
  type DomainLimit,
  type DomainLimitTotals,
} from '../../db/domain-limits.repo.ts'
import { withCommandContext } from '../command-context.ts'
import type { ListFlags } from '../commands/limits.ts'
import { printAnswer, say, tableText } from '../output.ts'
import { agedSnapshot } from './aged-snapshot.ts'
import {
  ageText,
  breakerText,
  coolingText,
  modeText,
  rateText,
  refusedText,
} from './figures-text.ts'
import { limitsPlace, readLimitsFile } from './limits-file.ts'

/** The part of a snapshot that `limits -o json` shows of each domain: the source document's, and no more. */
export type DomainSample = Pick<
  DomainSnapshot,
  | 'domain'
  | 'fillRate'
  | 'tokens'
  | 'avgLatency'
  | 'p95Latency'
  | 'errorRate'
  | 'state'
  | 'consecutiveFails'
  | 'nextEarliest'
>

/** All domains together, and the ones asked last. */
export interface LimiterSnapshot extends DomainLimitTotals {
  readonly domains: readonly DomainSample[]
}

/** Prints the stored figures of all domains: no limiter is asked, so it is quick and works without workers. */
export async function listLimits({ top, output }: ListFlags): Promise<void> {
  await withCommandContext(async ({ config, db }) => {
    const limits = await listDomainLimits(db, top)
    const domains = limits.flatMap(sampleOf)
    if (output === 'jsonl') return printAnswer(output, domains, () => '')
    const snapshot: LimiterSnapshot = { ...(await sumDomainLimits(db)), domains }
    printAnswer(output, snapshot, () => limitsText(limits, Date.now()))
    for (const problem of readLimitsFile(limitsPlace(config)).problems) say(`warning: ${problem}`)
    for (const limit of limits) {
      if (agedOf(limit)?.parkedForMs == null) continue
      say(`${limit.domain} is parked. Ask it before: ./record-linker limits resume ${limit.domain}`)
    }
    const first = limits[0]
    say(
      first === undefined
        ? 'A match asks the first domain: ./record-linker start-match --project 123'
        : `More of one, and its policy: ./record-linker limits ${first.domain}`,
    )
  })
}

export function sampleOf(limit: DomainLimit): readonly DomainSample[] {
  const snapshot = agedOf(limit)
  if (snapshot === null) return []
  const { domain, fillRate, tokens, avgLatency, p95Latency, errorRate } = snapshot
  const { state, consecutiveFails, nextEarliest } = snapshot
  const measured = { domain, fillRate, tokens, avgLatency, p95Latency, errorRate }
  return [{ ...measured, state, consecutiveFails, nextEarliest }]
}

const HEAD = [
  'domain',
  'rate',
  'mode',
  'in flight',
  'waiting',
  'breaker',
  'cooling until',
  'refused/1000',
  'as of',
]

/** @param nowMs of the clock on the wall here */
export function limitsText(limits: readonly DomainLimit[], nowMs: number): string {
  if (limits.length === 0) return 'No domain was asked yet.'
  return tableText(
    HEAD,
    limits.map((limit) => rowOf(limit, nowMs)),
  )
}

function rowOf(limit: DomainLimit, nowMs: number): readonly (string | number)[] {
  const { domain, pausedBecause, ageMs } = limit
  const snapshot = agedOf(limit)
  if (snapshot === null) {
    const cooling = pausedBecause === null ? '' : `paused: ${pausedBecause}`
    return [domain, '', '', '', '', '', cooling, '', ageText(null)]
  }
  const { inFlight, inFlightCap, waiting } = snapshot
  return [
    domain,
    rateText(snapshot.fillRate),
    modeText(snapshot),
    `${inFlight} of ${inFlightCap}`,
    waiting,
    breakerText(snapshot),
    coolingText(snapshot, nowMs),
    refusedText(snapshot),
    ageText(ageMs),
  ]
}

function agedOf({ snapshot, ageMs, pausedBecause }: DomainLimit): DomainSnapshot | null {
  return snapshot === null ? null : agedSnapshot(snapshot, ageMs ?? 0, pausedBecause)
}
