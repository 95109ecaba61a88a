import { fileSource } from '../../tabular/byte-source.ts'
import { withCommandContext } from '../command-context.ts'
import type { JudgmentsExportFlags, JudgmentsImportFlags } from '../commands/judgments.ts'
import { exitCodes } from '../exit-codes.ts'
import { refuseOtherFiles } from '../export/earlier-export.ts'
import { formatOfEnding } from '../export/format-of-ending.ts'
import { knownProject } from '../known-project.ts'
import { counted } from '../../core/counted.ts'
import { printAnswer, say } from '../output.ts'
import { fileSink, stdoutSink } from '../text-sink.ts'
import { exportJudgments } from './export-judgments.ts'
import { importJudgments } from './import-judgments.ts'
import { judgmentFormats } from './judgment-formats.ts'

/** The command `judgments import`. */
export async function runJudgmentsImport(path: string, flags: JudgmentsImportFlags): Promise<void> {
  const source = await fileSource(path)
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, flags.project)
    const rejectedPath = flags.rejected ?? `${path}.rejected.csv`
    const report = await importJudgments(db, project, source, {}, rejectedPath)
    printAnswer(flags.output, report, () =>
      [
        `project ${project.id}: ${counted(report.lines, 'row')} read`,
        ...(['written', 'unchanged', 'undecided', 'rejected'] as const).map(
          (what) => `  ${what.padEnd(10)}${String(report[what]).padStart(8)}`,
        ),
      ].join('\n'),
    )
    if (report.rejectedFile !== null) say(`Rejected rows and why: ${report.rejectedFile}`)
    if (report.changed > 0) {
      say(
        `${counted(report.changed, 'of these is of a record', 'of these are of records')} that changed since the file was written: export again.`,
      )
    }
    say(`Next: ./record-linker export --project ${project.id}`)
    if (report.rejected > 0) process.exitCode = exitCodes.failedRecords
  })
}

/** The command `judgments export`. */
export async function runJudgmentsExport(flags: JudgmentsExportFlags): Promise<void> {
  const { format, toStdout } = targetOf(flags)
  if (!toStdout && flags.force !== true) await refuseOtherFiles(flags.output, 'match_hash')
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, flags.project)
    const sink = toStdout ? stdoutSink() : await fileSink(flags.output)
    try {
      const { judgments, stale } = await exportJudgments(db, project.id, format, sink)
      await sink.finish()
      say(`${counted(judgments, 'judgment')}, ${stale} of them stale`)
    } catch (error) {
      await sink.discard()
      throw error
    }
  })
}

function targetOf({ format, output }: JudgmentsExportFlags) {
  // Elsewhere `-o` names a format.
  const meant = judgmentFormats.find((one) => one === output)
  if (meant !== undefined || output === '-') {
    return { format: format ?? meant ?? 'csv', toStdout: true } as const
  }
  const said = format ?? formatOfEnding(output, judgmentFormats, '--format')
  return { format: said, toStdout: false } as const
}
