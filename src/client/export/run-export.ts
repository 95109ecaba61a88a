import { UsageError } from '../../errors.ts'
import { withCommandContext } from '../command-context.ts'
import type { ExportFlags } from '../commands/export.ts'
import { knownProject } from '../known-project.ts'
import { say } from '../output.ts'
import { fileSink, stdoutSink } from '../text-sink.ts'
import { refuseOtherFiles } from './earlier-export.ts'
import { type ExportFormat, exportFormats } from './export-formats.ts'
import { exportResults } from './export-results.ts'

/** The command `export`. */
export async function runExport(flags: ExportFlags): Promise<void> {
  const { format, path } = targetOf(flags)
  if (flags.excel && format !== 'csv') {
    throw new UsageError({
      code: 'bad_flag',
      message: `--excel is for CSV; ${format} was asked for.`,
    })
  }
  if (path !== null && flags.force !== true) {
    await refuseOtherFiles(path, `${flags.prefix}qid`)
  }
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, flags.project)
    const sink = path === null ? stdoutSink() : await fileSink(path)
    try {
      const { rows, statuses, absentLeftOut } = await exportResults(
        db,
        project,
        {
          format,
          prefix: flags.prefix,
          statuses: flags.only,
          excel: flags.excel ?? false,
          includeAbsent: flags.includeAbsent ?? false,
        },
        sink,
      )
      await sink.finish()
      const counts = Object.entries(statuses).map(([status, count]) => `${count} ${status}`)
      say(`${rows} rows${path === null ? '' : ` in ${path}`}: ${counts.join(', ') || 'none'}`)
      if (absentLeftOut > 0) {
        say(
          `Left out, as the last import did not have them: ${absentLeftOut} (--include-absent adds them).`,
        )
      }
    } catch (error) {
      await sink.discard()
      throw error
    }
  })
}

function targetOf({ format, output }: ExportFlags): { format: ExportFormat; path: string | null } {
  // Elsewhere `-o` names a format; nobody calls a file just "jsonl".
  const meant = exportFormats.find((one) => one === output)
  if (meant !== undefined) return { format: format ?? meant, path: null }
  return { format: format ?? 'csv', path: output === '-' ? null : output }
}
