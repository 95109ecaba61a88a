import type { DomainLimit } from '../../db/domain-limits.repo.ts'
import { withCommandContext } from '../command-context.ts'
import type { ListFlags } from '../commands/limits.ts'
import { printAnswer, say, tableText } from '../output.ts'
import {
  ageText,
  breakerText,
  coolingText,
  modeText,
  rateText,
  refusedText,
} from './figures-text.ts'
import { limitsPlace, readLimitsFile } from './limits-file.ts'
import { agedOf, readLimits } from './read-limits.ts'

/** Prints the stored figures of all domains: no limiter is asked, so it is quick and works without workers. */
export async function listLimits({ top, output }: ListFlags): Promise<void> {
  await withCommandContext(async ({ config, db }) => {
    const { limits, snapshot } = await readLimits(db, top)
    if (output === 'jsonl') return printAnswer(output, snapshot.domains, () => '')
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
