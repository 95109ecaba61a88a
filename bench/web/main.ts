/**
 * `npm run bench:web`: how long the pages and the API take with a project of 100,000 records that are decided, judged and
 * failed; with the real `serve`, over HTTP, from PostgreSQL as users get it. Each is asked for in turn, 15 times. Takes about
 * three minutes.
 *
 *   --records N   default 100,000
 *   --asks N      of each address, default 15
 *   --part NAME   only `api`, `pages`, `review` or `next`; may be repeated
 *   --short       all of it in seconds, for a test; the figures mean nothing
 *   -o json       a list of { name, value, goal, unit, ok }
 *   --markdown    the table for docs/scale.md
 *
 * Exit code 1 when a goal is missed, 2 for wrong usage.
 */
import { benchUsage, exitCode, readArgs, readOutput } from '../exit-code.ts'
import { printReport } from '../origin/report.ts'
import { playInTurn, wantedParts } from '../parts.ts'
import { measureApi, measurePages } from './measure-reads.ts'
import { measureNextRecord } from './measure-next-record.ts'
import { measureReview } from './measure-review.ts'
import { openWebLab } from './web-lab.ts'

const MOST_RECORDS = 10_000_000
const MOST_ASKS = 1_000
const SHORT = { records: 1_000, asks: 2 }

const parts = [
  { name: 'api', title: 'the API', measure: measureApi },
  { name: 'pages', title: 'the pages', measure: measurePages },
  { name: 'review', title: 'judging', measure: measureReview },
  { name: 'next', title: 'the next record', measure: measureNextRecord },
] as const

/** @returns The exit code. */
export function main(args: readonly string[]): Promise<number> {
  return exitCode(async () => {
    const { values } = readArgs('web', {
      args: [...args],
      options: {
        records: { type: 'string', default: '100000' },
        asks: { type: 'string', default: '15' },
        part: { type: 'string', multiple: true, default: [] },
        short: { type: 'boolean', default: false },
        output: { type: 'string', short: 'o', default: 'text' },
        markdown: { type: 'boolean', default: false },
      },
    })
    const output = readOutput('web', values)
    const names = wantedParts(
      'web',
      values.part,
      parts.map(({ name }) => name),
    )
    const wanted = {
      records: whole('--records', values.records, 1_000, MOST_RECORDS),
      asks: whole('--asks', values.asks, 1, MOST_ASKS),
    }
    const lab = await openWebLab(values.short ? SHORT : wanted)
    try {
      const played = await playInTurn(
        parts.filter(({ name }) => names.includes(name)),
        ({ measure }) => measure(lab),
      )
      return printReport(played, output)
    } finally {
      await lab.close()
    }
  })
}

function whole(flag: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw benchUsage('web', `${flag} is ${text}, expected a whole number from ${least} to ${most}`)
}
