/**
 * `npm run bench:engine`: what durability costs. The same work in a plain loop and as a match run, and tasks of one
 * record beside children that do nothing, in one run on PostgreSQL, Temporal and a worker as users have them; against a
 * service on loopback that answers each request after the same time and has no limit. DBOS, pg-boss, BullMQ (where there is
 * a Redis) and graphile-worker do the same work beside it (`peers/`, one file each). Takes about half an hour.
 *
 *   --entries N   records of the loop, of which six in ten ask something of their own (default 100,000)
 *   --tasks N     children of the other part, up to 500 (default)
 *   --rounds N    how often each is measured; the median counts (default 3)
 *   --part NAME   only `loop`, `peers` or `children`, or `sizes`: workers of other sizes; may be repeated
 *   --temporal postgres   Temporal's data in PostgreSQL, beside our tables, as docker-compose.yml has it (default: sqlite, a file)
 *   --short       all of it in seconds, for a test; the figures mean nothing
 *   -o json       a list of { name, value, goal, unit, ok }
 *   --markdown    the table for docs/scale.md
 *
 * Exit code 1 when a goal is missed, 2 for wrong usage.
 */
import type { UsageError } from '../../src/errors.ts'
import { type BenchOutput, benchUsage, exitCode, readArgs, readOutput } from '../exit-code.ts'
import type { Measure } from '../limiter/stories/story.ts'
import { type PlayedPart, printReport } from '../origin/report.ts'
import type { TemporalStore } from '../origin/lab.ts'
import { playInTurn, wantedParts } from '../parts.ts'
import { measureChildren } from './children-part.ts'
import { BATCH_SIZE, type EngineLab, openEngineLab } from './engine-lab.ts'
import { measureLoop } from './loop-part.ts'
import { measurePeers } from './peers-part.ts'
import { measureSizes } from './sizes-part.ts'

const ANSWER_MS = 100
const MOST_ENTRIES = 1_000_000
const MOST_TASKS = 500
const MOST_ROUNDS = 20
const SHORT = { entries: 4 * BATCH_SIZE, tasks: 12, rounds: 1 }

interface EngineOptions {
  readonly entries: number
  readonly tasks: number
  readonly rounds: number
  readonly parts: readonly PartName[]
  readonly temporal: TemporalStore
}

interface Part {
  readonly title: string
  readonly measure: (lab: EngineLab, options: EngineOptions) => Promise<readonly Measure[]>
}

const parts = {
  loop: { title: 'the work of a run', measure: measureLoop },
  peers: { title: 'the same work by other engines', measure: measurePeers },
  children: { title: 'one child per record', measure: measureChildren },
  sizes: { title: 'the same run by other workers', measure: measureSizes },
} as const satisfies Readonly<Record<string, Part>>
type PartName = keyof typeof parts
const usualParts: readonly PartName[] = ['loop', 'peers', 'children']
const partNames: readonly PartName[] = [...usualParts, 'sizes']

/** @returns The exit code. */
export function main(args: readonly string[]): Promise<number> {
  return exitCode(() => bench(args))
}

async function bench(args: readonly string[]): Promise<number> {
  const { output, ...options } = readOptions(args)
  const played = await playParts(options)
  return printReport(played, output)
}

async function playParts(options: EngineOptions): Promise<readonly PlayedPart[]> {
  const { entries, tasks, temporal } = options
  const subjects = Math.max(entries, tasks)
  const lab = await openEngineLab({ subjects, answerMs: ANSWER_MS, temporal })
  try {
    const wanted = options.parts.map((name) => ({ name, ...parts[name] }))
    return await playInTurn(wanted, ({ measure }) => measure(lab, options))
  } finally {
    await lab.close()
  }
}

interface Options extends EngineOptions {
  readonly output: BenchOutput
}

function readOptions(args: readonly string[]): Options {
  const { values } = readArgs('engine', {
    args: [...args],
    options: {
      entries: { type: 'string', default: '100000' },
      tasks: { type: 'string', default: '500' },
      rounds: { type: 'string', default: '3' },
      part: { type: 'string', multiple: true, default: [] },
      temporal: { type: 'string', default: 'sqlite' },
      short: { type: 'boolean', default: false },
      output: { type: 'string', short: 'o', default: 'text' },
      markdown: { type: 'boolean', default: false },
    },
  })
  const wanted = {
    entries: count('entries', values.entries, MOST_ENTRIES),
    tasks: count('tasks', values.tasks, MOST_TASKS),
    rounds: count('rounds', values.rounds, MOST_ROUNDS),
  }
  return {
    ...(values.short ? SHORT : wanted),
    parts: wantedParts('engine', values.part.length === 0 ? usualParts : values.part, partNames),
    temporal: readStore(values.temporal),
    output: readOutput('engine', values),
  }
}

function count(name: string, text: string, most: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw usage(`--${name} is ${text}, expected a whole number from 1 to ${most}`)
}

function readStore(text: string): TemporalStore {
  if (text === 'sqlite' || text === 'postgres') return text
  throw usage(`--temporal is ${text}, expected sqlite or postgres`)
}

function usage(message: string): UsageError {
  return benchUsage('engine', message)
}
