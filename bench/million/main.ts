/**
 * `npm run bench:million`: a million records through the whole path, on this machine: imported, planned, asked about in
 * batches of 50, decided and exported. Takes about half an hour on two cores.
 *
 *   --records N   default 1,000,000; of ten, four ask a question of their own
 *   --no-try      nothing is matched before the run that is looked at; default: 2 %, as the README advises
 *   --entries-per-task N   tasks of so many records, as `start-match` takes it; default: the program chooses
 *   -o json       a list of { name, value, goal, unit, ok }
 *   --markdown    the table for docs/scale.md
 *
 * Exit code 1 when a goal is missed, 2 for wrong usage.
 */
import type { UsageError } from '../../src/errors.ts'
import { type BenchOutput, benchUsage, exitCode, readArgs, readOutput } from '../exit-code.ts'
import { printReport } from '../origin/report.ts'
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
  const path = await walkWholePath(options, (text) => {
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    process.stderr.write(`${String(seconds).padStart(5)} s  ${text}\n`)
  })
  const played = pathReport(path)
  return printReport(played, options.output)
}

interface Options {
  readonly records: number
  readonly entriesPerTask: string | undefined
  readonly doTry: boolean
  readonly output: BenchOutput
}

function readOptions(args: readonly string[]): Options {
  const { values } = readArgs('million', {
    args: [...args],
    options: {
      records: { type: 'string', default: '1000000' },
      'no-try': { type: 'boolean', default: false },
      'entries-per-task': { type: 'string' },
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
  const entriesPerTask = values['entries-per-task']
  const doTry = !values['no-try']
  return { records, entriesPerTask, doTry, output: readOutput('million', values) }
}

function usage(message: string): UsageError {
  return benchUsage('million', message)
}
