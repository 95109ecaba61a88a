/**
 * `npm run bench:extract`: how an extraction grows with its workers, what it needs, and how much of a hidden limit it uses;
 * through the real command line, PostgreSQL, Temporal and one worker process, from a list on loopback that answers each page
 * after 100 ms. Takes about ten minutes.
 *
 *   --part NAME   only `workers`, `memory` or `limit`; may be repeated
 *   --short       all of it in seconds, for a test; the figures mean nothing
 *   -o json       a list of { name, value, goal, unit, ok }
 *   --markdown    the table for docs/extract.md
 *
 * Exit code 1 when a goal is missed, 2 for wrong usage.
 */
import { partBench } from '../part-bench.ts'
import { openExtractLab } from './extract-lab.ts'
import { measureLimit } from './limit-part.ts'
import { measureMemory, measureWorkers } from './workers-part.ts'

const parts = {
  workers: { title: 'pages of 100, 100 ms each', measure: measureWorkers },
  memory: { title: '50 workers, pages of 1,000', measure: measureMemory },
  limit: { title: 'hidden 20/s', measure: measureLimit },
}

/** @returns The exit code. */
export function main(args: readonly string[]): Promise<number> {
  return partBench('extract', args, parts, openExtractLab)
}
