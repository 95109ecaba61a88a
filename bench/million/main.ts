/**
 * `npm run bench:million`: a million records through the whole path, on this machine: imported, planned, asked about in
 * batches of 50, decided and exported. Takes about half an hour on two cores.
 *
 *   --records N   default 1,000,000; of ten, four ask a question of their own
 *   -o json       a list of { name, value, goal, unit, ok }
 *   --markdown    the table for docs/scale.md
 *
 * Exit code 1 when a goal is missed, 2 for wrong usage.
 */
import type { UsageError } from '../../src/errors.ts'
import { benchUsage, exitCode, readArgs } from '../exit-code.ts'
import { reportLines, reportTable } from '../origin/report.ts'
import { pathReport } from './path-report.ts'
import { walkWholePath } from './whole-path.ts'

const MOST_RECORDS = 10_000_000

/** @returns The exit code. */
export function main(args: readonly string[]): Promise<number> {
  return exitCode(() => bench(args))
}

async function bench(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  const startedMs = performance.now()
  const path = await walkWholePath(options.records, (text) => {
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    process.stderr.write(`${String(seconds).padStart(5)} s  ${text}\n`)
  })
  const played = pathReport(path)
  const lines = reportLines(played)
  process.stdout.write(
    options.output === 'json'
      ? `${JSON.stringify(lines, null, 2)}\n`
      : `${reportTable(played, options.output === 'markdown')}\n`,
  )
  return lines.some(({ ok }) => ok === false) ? 1 : 0
}

interface Options {
  readonly records: number
  readonly output: 'text' | 'json' | 'markdown'
}

function readOptions(args: readonly string[]): Options {
  const { values } = readArgs('million', {
    args: [...args],
    options: {
      records: { type: 'string', default: '1000000' },
      output: { type: 'string', short: 'o', default: 'text' },
      markdown: { type: 'boolean', default: false },
    },
  })
  const records = Number(values.records)
  if (!(Number.isInteger(records) && records >= 100 && records <= MOST_RECORDS)) {
    throw usage(
      `--records is ${values.records}, expected a whole number from 100 to ${MOST_RECORDS}`,
    )
  }
  if (values.output !== 'text' && values.output !== 'json') {
    throw usage(`-o is ${values.output}, expected text or json`)
  }
  return { records, output: values.markdown ? 'markdown' : values.output }
}

function usage(message: string): UsageError {
  return benchUsage('million', message)
}
