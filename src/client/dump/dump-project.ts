import { counted } from '../../core/counted.ts'
import { readProjectDump } from '../../db/project-dump.repo.ts'
import type { Db } from '../../db/connect.ts'
import type { Project } from '../../db/projects.repo.ts'
import { latestRun } from '../../db/runs.repo.ts'
import { UsageError } from '../../errors.ts'
import { productVersion } from '../../product-version.ts'
import { withCommandContext } from '../command-context.ts'
import { knownProject } from '../known-project.ts'
import { type OutputFormat, printAnswer, say } from '../output.ts'
import { fileSink, type TextSink } from '../text-sink.ts'
import { DUMP_END, dumpHeader } from './dump-format.ts'

export interface DumpFlags {
  readonly project: number
  readonly file: string
  readonly output: OutputFormat
}

/** The command `project dump`. */
export async function dumpProjectCommand({ project: id, file, output }: DumpFlags): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, id)
    const sink = await fileSink(file)
    try {
      const rows = await dumpProject(db, project, sink)
      await sink.finish()
      printAnswer(output, { project: id, file, rows }, () => file)
      const records = rows['entry'] ?? 0
      say(
        `Project ${id}, ${counted(records, 'record')}, with answers, decisions and judgments: ${file}`,
      )
      if (project.after !== null) {
        say('It goes on after another project, which is not in the file: loaded, it stands alone.')
      }
      say(`Elsewhere: ./record-linker project load ${file}`)
    } catch (error) {
      await sink.discard()
      throw error
    }
  })
}

/**
 * Writes a project with its dataset.
 * @returns how many rows of each part
 * @throws UsageError `run_open`
 */
export async function dumpProject(
  db: Db,
  project: Project,
  sink: Pick<TextSink, 'write'>,
): Promise<Readonly<Record<string, number>>> {
  const before = await latestRun(db, project.id)
  if (before?.status === 'open') throw runOpen(project.id)
  const about = {
    program: productVersion,
    project: project.id,
    name: project.name,
    dataset: project.datasetName,
    at: new Date().toISOString(),
  }
  await sink.write(`${dumpHeader(about)}\n`)
  const counts: Record<string, number> = {}
  await readProjectDump(db, project.id, async (part, rows) => {
    counts[part] = (counts[part] ?? 0) + rows.length
    await sink.write(rows.map((row) => `{"part":"${part}","row":${row}}\n`).join(''))
  })
  // One that began meanwhile may be in it by half.
  if ((await latestRun(db, project.id))?.id !== before?.id) throw runOpen(project.id)
  await sink.write(`${JSON.stringify({ part: DUMP_END, row: counts })}\n`)
  return counts
}

function runOpen(project: number): UsageError {
  return new UsageError({
    code: 'run_open',
    message: `Project ${project} is being matched; its dump would be half a run.`,
    hint: `Wait for its end, or end it: ./record-linker cancel-match --project ${project}`,
  })
}
