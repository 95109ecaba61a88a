import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { DumpRow } from '../../db/project-dump.repo.ts'
import { UsageError } from '../../errors.ts'
import { fileTroubleText } from '../../file-trouble.ts'
import { checkDumpHeader, DUMP_END } from './dump-format.ts'

export interface DumpLine {
  readonly part: string
  readonly row: DumpRow
}

/**
 * The rows of a dumped project. Only who has read to the end knows that the file is whole.
 * @throws UsageError `not_a_dump`, `dump_too_new`, `dump_broken`, `file_not_found`
 */
export async function* readDump(path: string): AsyncGenerator<DumpLine> {
  const found: Record<string, number> = {}
  let number = 0
  let end: DumpRow | undefined
  for await (const line of linesOf(path)) {
    number += 1
    if (number === 1) {
      checkDumpHeader(line, path)
      continue
    }
    const read = lineOf(line, path, number)
    if (end !== undefined) throw dumpBroken(path, `line ${number} comes after its end`)
    if (read.part === DUMP_END) {
      end = read.row
      continue
    }
    found[read.part] = (found[read.part] ?? 0) + 1
    yield read
  }
  if (number === 0) checkDumpHeader('', path)
  if (end === undefined) throw dumpBroken(path, 'its end is missing')
  for (const [part, count] of Object.entries(end)) {
    if (found[part] === count) continue
    throw dumpBroken(path, `it has ${found[part] ?? 0} of ${String(count)} rows of "${part}"`)
  }
}

export function dumpBroken(path: string, found: string): UsageError {
  return new UsageError({
    code: 'dump_broken',
    message: `${path} is not whole: ${found}. Nothing of it was taken.`,
    hint: 'Copy the file again, or dump the project again.',
  })
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const stream = createReadStream(path, 'utf8')
  try {
    yield* createInterface({ input: stream, crlfDelay: Infinity })
  } catch (cause) {
    throw new UsageError({
      code: 'file_not_found',
      message: `${path} cannot be read: ${fileTroubleText(cause)}.`,
      hint: 'Expected a file of: ./record-linker project dump ID FILE',
      cause,
    })
  } finally {
    stream.destroy()
  }
}

function lineOf(line: string, path: string, number: number): DumpLine {
  try {
    const parsed: unknown = JSON.parse(line)
    if (isLine(parsed)) return parsed
  } catch {
    // Said below.
  }
  throw dumpBroken(path, `line ${number} is cut off or was changed`)
}

function isLine(value: unknown): value is DumpLine {
  if (typeof value !== 'object' || value === null || !('part' in value) || !('row' in value))
    return false
  return typeof value.part === 'string' && typeof value.row === 'object' && value.row !== null
}
