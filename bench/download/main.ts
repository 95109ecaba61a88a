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
import { partBench } from '../part-bench.ts'
import { openDownloadLab } from './download-lab.ts'
import { measureLarge, measureSmall } from './download-parts.ts'

const parts = {
  large: { title: '20 files of 200 MiB', measure: measureLarge },
  small: { title: '10,000 files of 4 KiB', measure: measureSmall },
}

/** @returns The exit code. */
export function main(args: readonly string[]): Promise<number> {
  return partBench('download', args, parts, openDownloadLab)
}
