/**
 * A project in a file: JSON lines, the first says what it is, then one line per row: its part and the row; the last counts them. It is not a copy
 * of tables: parts and columns have names of their own, so that other versions of this program can read it.
 */
import { z } from 'zod'
import { UsageError } from '../../errors.ts'

/** Raised when older versions could not read it; what is only added needs no new number. */
const DUMP_FORMAT = 1

const KIND = 'record-linker project'

const header = z.object({ kind: z.literal(KIND), format: z.number().int().positive() })

export interface DumpHeader {
  readonly kind: typeof KIND
  readonly format: number
  /** Version of the program that wrote it. */
  readonly program: string
  readonly project: number
  readonly name: string
  readonly dataset: string
  readonly at: string
}

export function dumpHeader(about: Omit<DumpHeader, 'kind' | 'format'>): string {
  return JSON.stringify({ kind: KIND, format: DUMP_FORMAT, ...about } satisfies DumpHeader)
}

/** The last line tells how many rows of each part there were: without it a part of a file would pass for the whole. */
export const DUMP_END = 'end'

/** @throws UsageError `not_a_dump`, `dump_too_new` */
export function checkDumpHeader(line: string, path: string): void {
  const parsed = header.safeParse(jsonOf(line))
  if (!parsed.success) {
    throw new UsageError({
      code: 'not_a_dump',
      message: `${path} is no dumped project: its first line does not say so.`,
      hint: 'Expected a file of: ./record-linker project dump ID FILE',
    })
  }
  if (parsed.data.format > DUMP_FORMAT) {
    throw new UsageError({
      code: 'dump_too_new',
      message: `${path} has format ${parsed.data.format}; this version reads up to ${DUMP_FORMAT}.`,
      hint: 'Read it with the version that wrote it, or a later one.',
    })
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
