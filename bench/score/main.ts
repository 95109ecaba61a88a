/**
 * `npm run bench:score`: how fast records are scored and decided, alone on one core and in a whole run with everything
 * real around it. Takes about four minutes.
 *
 *   --entries N    records, of which six in ten ask something of their own (default 100,000)
 *   --part NAME    only `scoring` or `run`; may be repeated
 *   -o json        a list of { name, value, goal, unit, ok }
 *   --markdown     the table for the docs
 *
 * Exit code 1 when a goal is missed, 2 for wrong usage.
 */
import type { UsageError } from '../../src/errors.ts'
import { type BenchOutput, benchUsage, exitCode, readArgs, readOutput } from '../exit-code.ts'
import type { Measure } from '../limiter/stories/story.ts'
import { printReport } from '../origin/report.ts'
import { playInTurn, wantedParts } from '../parts.ts'
import { compiledCode } from './compiled-code.ts'
import { madeKinds } from './made-records.ts'
import { measureSpeeds } from './scoring.ts'
import { measureWholeRun } from './whole-run.ts'

const LEAST_PER_SECOND = 2_000
const MOST_ENTRIES = 10_000_000

const parts = {
  scoring: { title: 'scored and decided, one core', measure: measureScoring },
  run: { title: 'a whole run with one worker', measure: measureWholeRun },
} as const
type PartName = keyof typeof parts
const partNames: readonly PartName[] = ['scoring', 'run']

/** @returns The exit code. */
export function main(args: readonly string[]): Promise<number> {
  return exitCode(() => bench(args))
}

async function bench(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  const wanted = options.parts.map((name) => ({ name, ...parts[name] }))
  const played = await playInTurn(wanted, ({ measure }) => measure(options.entries))
  return printReport(played, options.output)
}

/** Each kind of entity gets its share of the entries. */
async function measureScoring(entries: number): Promise<readonly Measure[]> {
  const code = await compiledCode()
  return madeKinds.flatMap((kind): Measure[] => {
    const share = Math.ceil(entries / madeKinds.length)
    const { judged, unlike, compared } = measureSpeeds(kind, share, code)
    return [
      { name: kind, value: judged, unit: 'records/s', goal: { atLeast: LEAST_PER_SECOND } },
      { name: `${kind}, no two alike`, value: unlike, unit: 'records/s' },
      { name: `${kind}, a plain loop over the names`, value: compared, unit: 'records/s' },
    ]
  })
}

interface Options {
  readonly entries: number
  readonly parts: readonly PartName[]
  readonly output: BenchOutput
}

function readOptions(args: readonly string[]): Options {
  const { values } = readArgs('score', {
    args: [...args],
    options: {
      entries: { type: 'string', default: '100000' },
      part: { type: 'string', multiple: true, default: [] },
      output: { type: 'string', short: 'o', default: 'text' },
      markdown: { type: 'boolean', default: false },
    },
  })
  const entries = Number(values.entries)
  if (!(Number.isInteger(entries) && entries >= 10 && entries <= MOST_ENTRIES)) {
    throw usage(
      `--entries is ${values.entries}, expected a whole number from 10 to ${MOST_ENTRIES}`,
    )
  }
  return {
    entries,
    parts: wantedParts('score', values.part, partNames),
    output: readOutput('score', values),
  }
}

function usage(message: string): UsageError {
  return benchUsage('score', message)
}
