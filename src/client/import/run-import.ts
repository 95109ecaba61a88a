import { basename } from 'node:path'
import { counted } from '../../core/counted.ts'
import type { Db } from '../../db/connect.ts'
import { UsageError } from '../../errors.ts'
import { type ByteSource, fileSource } from '../../tabular/byte-source.ts'
import { withCommandContext } from '../command-context.ts'
import type { ImportFlags } from '../commands/import.ts'
import { exitCodes } from '../exit-codes.ts'
import type { MappingChanges } from '../mapping/mapping-file.ts'
import { mappingChanges } from '../mapping/mapping-flags.ts'
import { printAnswer, say } from '../output.ts'
import { createProgressLine } from '../progress-line.ts'
import { type ImportPlan, planForDataset, planForProject } from './import-plan.ts'
import { countLines } from './count-lines.ts'
import { lookAtFile, tryImport } from './dry-run.ts'
import { earlierCellLines } from './earlier-cells.ts'
import { importRecords, type ImportReport } from './import-records.ts'
import { judgmentsText, type RefreshedProjectCounts } from './refresh-projects.ts'
import { tableLines } from './table-lines.ts'

/** The command `import`. */
export async function runImport(path: string, flags: ImportFlags): Promise<void> {
  const changes = await mappingChanges(flags)
  const source = await fileSource(path)
  const hasTarget = flags.dataset !== undefined || flags.project !== undefined
  if (flags.dryRun && !hasTarget) return lookAtFile(path, source, flags, changes)
  const target = targetOf(flags)
  await withCommandContext(async ({ db }) => {
    const plan = await planFor(db, target, flags, changes)
    plan.notes.forEach(say)
    if (flags.dryRun) return tryImport(db, path, source, flags, plan)
    const report = await importFile(db, path, source, flags, plan)
    const projects = await plan.after(report)
    printReport(flags, report, projects)
    if (report.rejected > 0 || (report.earlier?.unreadable ?? 0) > 0)
      process.exitCode = exitCodes.failedRecords
  })
}

type Target = { readonly dataset: string } | { readonly project: number }

async function planFor(
  db: Db,
  target: Target,
  { service }: ImportFlags,
  changes: MappingChanges | undefined,
): Promise<ImportPlan> {
  return 'dataset' in target
    ? planForDataset(db, target.dataset, changes)
    : planForProject(db, target.project, service, changes)
}

function targetOf({ dataset, project }: ImportFlags): Target {
  if (dataset && project === undefined) return { dataset }
  if (project !== undefined && dataset === undefined) return { project }
  throw new UsageError({
    code: 'no_target',
    message: 'It is not clear what to fill: expected either --dataset NAME or --project ID.',
    hint: 'Look at the file first with --dry-run, which needs neither.',
  })
}

async function importFile(
  db: Db,
  path: string,
  source: ByteSource,
  flags: ImportFlags,
  { datasetName, readers, earlier }: ImportPlan,
): Promise<ImportReport> {
  const progress = createProgressLine()
  try {
    return await importRecords(
      db,
      {
        source,
        format: flags,
        datasetName,
        idColumns: flags.id,
        append: flags.append ?? false,
        readers,
        earlier,
        rejectedPath: flags.rejected ?? `${path}.rejected.csv`,
        onProgress: ({ records, share }) =>
          progress.show(
            `${counted(records, 'record')} read${share === null ? '' : ` (${Math.round(share * 100)} %)`}`,
          ),
      },
      (table) => tableLines(basename(path), table).forEach(say),
    )
  } finally {
    progress.end()
  }
}

function printReport(
  { output }: ImportFlags,
  report: ImportReport,
  projects: readonly RefreshedProjectCounts[],
): void {
  const { dataset, lines, rejectedFile } = report
  printAnswer(output, { ...report, projects }, () =>
    [
      `dataset ${dataset}: ${counted(lines, 'record')} read`,
      ...countLines(report),
      ...projects.flatMap(({ project, changed, judgments, ...one }) => [
        `project ${project}: ${one.new} new, ${changed} with other mapped cells`,
        ...(judgments === undefined ? [] : [`  ${judgmentsText(judgments)}`]),
      ]),
    ].join('\n'),
  )
  if (report.earlier !== undefined) earlierCellLines(report.earlier).forEach(say)
  if (rejectedFile !== null) say(`Rejected lines and why: ${rejectedFile}`)
  const [first] = projects
  say(
    first === undefined
      ? `Next: ./record-linker project create --dataset ${dataset} --service URL`
      : `Next: ./record-linker start-match --project ${first.project}`,
  )
}
