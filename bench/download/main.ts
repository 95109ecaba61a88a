/**
 * `npm run bench:download`: files from a host on loopback by a queue (the real command line, PostgreSQL, Temporal and one worker
 * process), beside `curl --parallel` and a loop over undici on the same files in the same run. Needs 9 GB of disk.
 *
 *   --part NAME   only `large` or `small`; may be repeated
 *   --short       all of it in seconds, for a test; the figures mean nothing
 *   -o json       a list of { name, value, goal, unit, ok }
 *   --markdown    the table for docs/download.md
 *
 * Exit code 1 when a goal is missed, 2 for wrong usage.
 */
import { type BenchOutput, exitCode, readArgs, readOutput } from '../exit-code.ts'
import { printReport } from '../origin/report.ts'
import { playInTurn, wantedParts } from '../parts.ts'
import { openDownloadLab } from './download-lab.ts'
import { measureLarge, measureSmall } from './download-parts.ts'

const parts = {
  large: { title: '20 files of 200 MiB', measure: measureLarge },
  small: { title: '10,000 files of 4 KiB', measure: measureSmall },
} as const
type PartName = keyof typeof parts
const partNames: readonly PartName[] = ['large', 'small']

interface Options {
  readonly parts: readonly PartName[]
  readonly isShort: boolean
  readonly output: BenchOutput
}

/** @returns The exit code. */
export function main(args: readonly string[]): Promise<number> {
  return exitCode(() => bench(args))
}

async function bench(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  const lab = await openDownloadLab()
  try {
    const wanted = options.parts.map((name) => ({ name, ...parts[name] }))
    const played = await playInTurn(wanted, ({ measure }) => measure(lab, options.isShort))
    return printReport(played, options.output)
  } finally {
    await lab.close()
  }
}

function readOptions(args: readonly string[]): Options {
  const { values } = readArgs('download', {
    args: [...args],
    options: {
      part: { type: 'string', multiple: true, default: [] },
      short: { type: 'boolean', default: false },
      output: { type: 'string', short: 'o', default: 'text' },
      markdown: { type: 'boolean', default: false },
    },
  })
  return {
    parts: wantedParts('download', values.part, partNames),
    isShort: values.short,
    output: readOutput('download', values),
  }
}
