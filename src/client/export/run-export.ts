import { counted } from '../../core/counted.ts'
import { servedWidthPx, servedWidthsPx } from '../../core/commons/image-address.ts'
import type { Db } from '../../db/connect.ts'
import { datasetById } from '../../db/datasets.repo.ts'
import { countValues } from '../../db/item-values.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import { withCommandContext } from '../command-context.ts'
import type { ExportFlags } from '../commands/export.ts'
import { knownProject } from '../known-project.ts'
import { say } from '../output.ts'
import { runStatements } from '../quickstatements/run-statements.ts'
import { refuseFilledIn } from '../review/filled-in-file.ts'
import { fileSink, stdoutSink, type TextSink } from '../text-sink.ts'
import { refuseOtherFiles } from './earlier-export.ts'
import { checkExportFlags, type ExportTarget, markOf, targetOf } from './export-target.ts'
import { type ExportReport, type ExportRequest, exportResults } from './export-results.ts'
import { refuseOtherRecords } from './other-records.ts'
import { sayOpenRefine } from './say-openrefine.ts'

/** The command `export`. */
export async function runExport(flags: ExportFlags): Promise<void> {
  const target = targetOf(flags)
  const { format, path } = target
  checkExportFlags(flags, format)
  if (path !== null && flags.force !== true) {
    await refuseOtherFiles(path, markOf(format, flags.prefix))
    if (format === 'review-csv') await refuseFilledIn(path, flags.project)
  }
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, flags.project)
    if (path !== null && format !== 'quickstatements' && flags.force !== true) {
      const dataset = await datasetById(db, project.datasetId)
      if (dataset !== undefined) await refuseOtherRecords(db, path, dataset, project.id)
    }
    const sink = path === null ? stdoutSink() : await fileSink(path)
    try {
      await writeExport(db, project, flags, target, sink)
    } catch (error) {
      await sink.discard()
      throw error
    }
  })
}

async function writeExport(
  db: Db,
  project: Project,
  flags: ExportFlags,
  { format, path }: ExportTarget,
  sink: TextSink,
): Promise<void> {
  const includeAbsent = flags.includeAbsent ?? false
  if (format === 'quickstatements') {
    const request = {
      statements: flags.statement,
      sources: flags.source,
      includeAutomatic: flags.includeAutomatic ?? false,
      createNew: flags.createNew ?? false,
      includeAbsent,
    }
    return runStatements(db, project, request, sink, path)
  }
  const request: ExportRequest = {
    format,
    prefix: flags.prefix,
    statuses: flags.only,
    excel: flags.excel ?? false,
    includeAbsent,
    properties: flags.with,
    ...(flags.imageWidth === undefined ? {} : { imageWidthPx: flags.imageWidth }),
  }
  const report = await exportResults(db, project, request, sink)
  await sink.finish()
  sayReport(report, path)
  await sayMissing(db, project, flags.with)
  sayWidth(flags.imageWidth)
  if (format === 'review-csv') {
    say('Fill in the column decision: 1 to 3, an item id or its address, none, not in wikidata,')
    say('not applicable; blank is undecided. Then:')
    say(`Next: ./record-linker judgments import ${path ?? 'FILE'} --project ${project.id}`)
  }
  if (format === 'openrefine-csv') await sayOpenRefine(db, project, flags, path)
}

function sayReport({ rows, statuses, absentLeftOut }: ExportReport, path: string | null): void {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} ${status}`)
  say(
    `${counted(rows, 'row')}${path === null ? '' : ` in ${path}`}: ${counts.join(', ') || 'none'}`,
  )
  if (absentLeftOut > 0) {
    say(
      `Left out, as the last import did not have them: ${absentLeftOut} (--include-absent adds them).`,
    )
  }
}

function sayWidth(wantedPx: number | undefined): void {
  if (wantedPx === undefined) return
  const servedPx = servedWidthPx(wantedPx)
  if (servedPx === wantedPx) return
  say(
    `Wikimedia Commons serves pictures ${servedWidthsPx.join(', ')} pixels wide: the addresses say ${servedPx}, not ${wantedPx}.`,
  )
}

/** Blank cells of an item that was never asked say nothing, so it is told how many there are. */
async function sayMissing(
  db: Db,
  { id: projectId, settings }: Project,
  properties: readonly string[],
): Promise<void> {
  if (properties.length === 0) return
  const question = { projectId, service: settings.service, properties }
  const { items, known, oldest } = await countValues(db, question)
  if (oldest !== null)
    say(`Values of items as they were on ${oldest.toISOString().slice(0, 10)} or later.`)
  if (known === items) return
  say(
    `${items - known} of ${counted(items, 'matched item')} ${items - known === 1 ? 'has' : 'have'} values that were not fetched yet; the cells are blank.`,
  )
  say(
    `Fetch them: ./record-linker extend --project ${projectId} --property ${properties.join(',')}`,
  )
}
