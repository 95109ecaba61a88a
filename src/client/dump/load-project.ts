import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { findDataset } from '../../db/datasets.repo.ts'
import type { Db } from '../../db/connect.ts'
import { createDumpWriter, type DumpRow } from '../../db/project-dump.repo.ts'
import { UsageError } from '../../errors.ts'
import { withCommandContext } from '../command-context.ts'
import { type OutputFormat, printAnswer, say } from '../output.ts'
import { checkDumpHeader, DUMP_END } from './dump-format.ts'

export interface LoadFlags {
  readonly file: string
  /** Name of its dataset here; absent: as it was. */
  readonly dataset?: string
  readonly output: OutputFormat
}

export interface LoadedProject {
  readonly project: number
  readonly dataset: string
  readonly rows: Readonly<Record<string, number>>
  /** Parts of the file that this version does not know. */
  readonly leftOut: readonly string[]
}

/** The command `project load`. */
export async function loadProjectCommand({ file, dataset, output }: LoadFlags): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const loaded = await loadProject(db, file, dataset)
    printAnswer(output, loaded, () => String(loaded.project))
    for (const part of loaded.leftOut) say(`Left out, this version does not know it: ${part}`)
    say(`Project ${loaded.project}, ${loaded.rows['entry'] ?? 0} records of "${loaded.dataset}".`)
    say(`Look at it: ./record-linker status --project ${loaded.project}`)
  })
}

const ROWS_AT_ONCE = 500

/**
 * Reads a dumped project as a new one, as a whole or not at all.
 * @throws UsageError `dataset_exists`, `not_a_dump`, `dump_too_new`, `dump_broken`, `file_not_found`
 */
export async function loadProject(
  db: Db,
  path: string,
  datasetName?: string,
): Promise<LoadedProject> {
  return db.transaction().execute(async (tx) => {
    let dataset = datasetName ?? ''
    const counts: Record<string, number> = {}
    const found: Record<string, number> = {}
    const leftOut = new Set<string>()
    let oldProject = 0
    const writer = createDumpWriter(tx, (part, row) => {
      if (part === 'project') oldProject = Number(row['id'])
      return part === 'dataset' ? { ...row, name: dataset } : row
    })
    let waiting: DumpRow[] = []
    let waitingPart = ''
    const flush = async (): Promise<void> => {
      if (waiting.length === 0) return
      const rows = waiting
      waiting = []
      if (await writer.write(waitingPart, rows)) {
        counts[waitingPart] = (counts[waitingPart] ?? 0) + rows.length
      } else leftOut.add(waitingPart)
    }
    let number = 0
    let end: DumpRow | undefined
    for await (const line of linesOf(path)) {
      number += 1
      if (number === 1) {
        checkDumpHeader(line, path)
        continue
      }
      const { part, row } = rowOf(line, path, number)
      if (end !== undefined) throw broken(path, `line ${number} comes after its end`)
      if (part === DUMP_END) {
        end = row
        continue
      }
      found[part] = (found[part] ?? 0) + 1
      if (part === 'dataset') {
        dataset = datasetName ?? String(row['name'])
        await refuseKnown(tx, dataset)
      }
      if (part !== waitingPart || waiting.length === ROWS_AT_ONCE) await flush()
      waitingPart = part
      waiting.push(row)
    }
    if (number === 0) checkDumpHeader('', path)
    await flush()
    if (end === undefined) throw broken(path, 'its end is missing')
    for (const [part, count] of Object.entries(end)) {
      if (found[part] === count) continue
      throw broken(path, `it has ${found[part] ?? 0} of ${String(count)} rows of "${part}"`)
    }
    const project = writer.numberOf('project', oldProject)
    if (project === undefined) throw broken(path, 'it has no project')
    return { project, dataset, rows: counts, leftOut: [...leftOut] }
  })
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const stream = createReadStream(path, 'utf8')
  try {
    yield* createInterface({ input: stream, crlfDelay: Infinity })
  } catch (cause) {
    throw new UsageError({
      code: 'file_not_found',
      message: `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      hint: 'Expected a file of: ./record-linker project dump ID FILE',
      cause,
    })
  } finally {
    stream.destroy()
  }
}

function rowOf(line: string, path: string, number: number): { part: string; row: DumpRow } {
  try {
    const parsed: unknown = JSON.parse(line)
    if (isLine(parsed)) return parsed
  } catch {
    // Said below.
  }
  throw broken(path, `line ${number} is cut off or was changed`)
}

function isLine(value: unknown): value is { part: string; row: DumpRow } {
  if (typeof value !== 'object' || value === null || !('part' in value) || !('row' in value))
    return false
  return typeof value.part === 'string' && typeof value.row === 'object' && value.row !== null
}

function broken(path: string, found: string): UsageError {
  return new UsageError({
    code: 'dump_broken',
    message: `${path} is not whole: ${found}. Nothing of it was taken.`,
    hint: 'Copy the file again, or dump the project again.',
  })
}

async function refuseKnown(db: Db, name: string): Promise<void> {
  if ((await findDataset(db, name)) === undefined) return
  throw new UsageError({
    code: 'dataset_exists',
    message: `There is a dataset "${name}" here already.`,
    hint: 'Give that of the file another name: --dataset NAME',
  })
}
