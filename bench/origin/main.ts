/**
 * `npm run bench:origin`: worker processes, workflows, PostgreSQL and Temporal as users have them, against origins
 * on loopback with limits nobody is told, in real time. All parts together take about half an hour.
 *
 *   --part NAME   only this part; may be repeated
 *   --workers N   worker processes (default 3)
 *   --short       everything in about a minute each, from half of the rate; for tests
 *   -o json       a list of { name, value, goal, unit, ok }
 *   --markdown    the table for docs/limits.md
 *
 * Exit code 1 when a goal is missed, 2 for wrong usage.
 */
import type { UsageError } from '../../src/errors.ts'
import { type BenchOutput, benchUsage, exitCode, readArgs, readOutput } from '../exit-code.ts'
import { playInTurn, wantedParts } from '../parts.ts'
import { openLab, type Lab } from './lab.ts'
import { parts } from './parts/catalogue.ts'
import type { Part } from './parts/part.ts'
import { printReport, type PlayedPart } from './report.ts'

const MOST_WORKERS = 16

/** @returns The exit code. */
export function main(args: readonly string[]): Promise<number> {
  return exitCode(() => bench(args))
}

async function bench(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  const played = await playParts(options)
  return printReport(played, options.output)
}

export interface PlayOptions {
  readonly parts: readonly Part[]
  readonly workers: number
  readonly isShort: boolean
}

/** Plays parts one after the other in one lab. */
export async function playParts(options: PlayOptions): Promise<readonly PlayedPart[]> {
  let opening: Promise<Lab> | undefined
  const lab = (): Promise<Lab> => (opening ??= openLab(options.workers))
  try {
    return await playInTurn(options.parts, ({ run }) => run({ lab, isShort: options.isShort }))
  } finally {
    await (await opening)?.close()
  }
}

interface Options extends PlayOptions {
  readonly output: BenchOutput
}

function readOptions(args: readonly string[]): Options {
  const { values } = parse(args)
  const workers = Number(values.workers)
  if (!(Number.isInteger(workers) && workers >= 2 && workers <= MOST_WORKERS)) {
    throw usage(`--workers is ${values.workers}, expected a whole number from 2 to ${MOST_WORKERS}`)
  }
  const known = parts.map(({ name }) => name)
  const wanted = wantedParts('origin', values.part, known)
  return {
    parts: parts.filter(({ name }) => wanted.includes(name)),
    workers,
    isShort: values.short,
    output: readOutput('origin', values),
  }
}

function parse(args: readonly string[]) {
  return readArgs('origin', {
    args: [...args],
    options: {
      part: { type: 'string', multiple: true, default: [] },
      workers: { type: 'string', default: '3' },
      short: { type: 'boolean', default: false },
      output: { type: 'string', short: 'o', default: 'text' },
      markdown: { type: 'boolean', default: false },
    },
  })
}

function usage(message: string): UsageError {
  return benchUsage('origin', message)
}
