import { counted } from '../../core/counted.ts'
import { findDataset } from '../../db/datasets.repo.ts'
import type { Db } from '../../db/connect.ts'
import { createDumpWriter, type DumpRow } from '../../db/project-dump.repo.ts'
import { holdAnswers } from '../../db/unused-answers.repo.ts'
import { UsageError } from '../../errors.ts'
import { withCommandContext } from '../command-context.ts'
import { type OutputFormat, printAnswer, say } from '../output.ts'
import { type DumpLine, dumpBroken, readDump } from './read-dump.ts'

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
    say(
      `Project ${loaded.project}, ${counted(loaded.rows['entry'] ?? 0, 'record')} of "${loaded.dataset}".`,
    )
    say(`Look at it: ./record-linker status --project ${loaded.project}`)
  })
}

const ROWS_AT_ONCE = 500

/**
 * Reads a dumped project as a new one, as a whole or not at all. Answers and items, which projects share, are in place
 * before it is; where it fails on the way they stay until `answers prune`. Safe beside open runs, of the same service too.
 * @throws UsageError `dataset_exists`, `not_a_dump`, `dump_too_new`, `dump_broken`, `file_not_found`
 */
export async function loadProject(
  db: Db,
  path: string,
  datasetName?: string,
): Promise<LoadedProject> {
  const names = await namesOf(path)
  const dataset = datasetName ?? names.dataset
  await refuseKnown(db, dataset)
  return db.transaction().execute(async (tx) => {
    await holdAnswers(tx)
    const counts: Record<string, number> = {}
    const leftOut = new Set<string>()
    const writer = createDumpWriter({ db, tx }, (part, row) =>
      part === 'dataset' ? { ...row, name: dataset } : row,
    )
    for await (const { part, rows } of inPages(readDump(path))) {
      if (await writer.write(part, rows)) counts[part] = (counts[part] ?? 0) + rows.length
      else leftOut.add(part)
    }
    const project = writer.numberOf('project', names.project)
    if (project === undefined) throw dumpBroken(path, 'it has no project')
    return { project, dataset, rows: counts, leftOut: [...leftOut] }
  })
}

/** What the file calls them. Reads it to its end: nothing is written of one that is not whole. */
async function namesOf(
  path: string,
): Promise<{ readonly dataset: string; readonly project: number }> {
  let dataset: string | undefined
  let project: number | undefined
  for await (const { part, row } of readDump(path)) {
    if (part === 'dataset') dataset = String(row['name'])
    if (part === 'project') project = Number(row['id'])
  }
  if (dataset === undefined || project === undefined) {
    throw dumpBroken(path, `it has no ${dataset === undefined ? 'dataset' : 'project'}`)
  }
  return { dataset, project }
}

/** Rows of one part that follow each other. */
async function* inPages(
  lines: AsyncIterable<DumpLine>,
): AsyncGenerator<{ readonly part: string; readonly rows: readonly DumpRow[] }> {
  let part = ''
  let rows: DumpRow[] = []
  for await (const line of lines) {
    if (rows.length > 0 && (line.part !== part || rows.length === ROWS_AT_ONCE)) {
      yield { part, rows }
      rows = []
    }
    part = line.part
    rows.push(line.row)
  }
  if (rows.length > 0) yield { part, rows }
}

async function refuseKnown(db: Db, name: string): Promise<void> {
  if ((await findDataset(db, name)) === undefined) return
  throw new UsageError({
    code: 'dataset_exists',
    message: `There is a dataset "${name}" here already.`,
    hint: 'Give that of the file another name: --dataset NAME',
  })
}
