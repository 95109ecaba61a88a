import { countDataset, type Dataset, datasetById } from '../../db/datasets.repo.ts'
import type { Db } from '../../db/connect.ts'
import { entityProperties } from '../../db/item-values.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import { type EntryResult, readResults } from '../../db/results.repo.ts'
import { readReview } from '../../db/review.repo.ts'
import { findService } from '../../db/services.repo.ts'
import { UsageError } from '../../errors.ts'
import { refreshProjects } from '../import/refresh-projects.ts'
import { reviewExport } from '../review/review-export.ts'
import type { TextSink } from '../text-sink.ts'
import { type AddedColumns, matchColumns, withHeld } from './added-columns.ts'
import { csvRows } from './csv-rows.ts'
import type { TableExportFormat } from './export-formats.ts'
import type { ExportRows } from './export-rows.ts'
import { withImageAddresses } from './image-addresses.ts'
import { jsonlRows, jsonRows } from './json-rows.ts'
import { openRefineColumns } from './openrefine-columns.ts'

export interface ExportRequest {
  readonly format: TableExportFormat
  /** Before each added column. */
  readonly prefix: string
  /** Values of `match_status`; empty: all. */
  readonly statuses: readonly string[]
  /** CSV only. */
  readonly excel: boolean
  readonly includeAbsent: boolean
  /** Of the matched items, as far as they were fetched. */
  readonly properties: readonly string[]
  /** Pixels: names of images are written as addresses; absent: as they are. */
  readonly imageWidthPx?: number
}

export interface ExportReport {
  readonly rows: number
  /** Rows by `match_status`. */
  readonly statuses: Readonly<Record<string, number>>
  /** Records that are not in the file of the last import, and left out. */
  readonly absentLeftOut: number
}

/**
 * Writes the records of a project with their matches, in file order. The same state gives the same bytes.
 * @throws UsageError `column_collision`
 */
export async function exportResults(
  db: Db,
  project: Project,
  request: ExportRequest,
  sink: TextSink,
): Promise<ExportReport> {
  const { id: projectId, datasetId, settings } = project
  const dataset = await datasetById(db, datasetId)
  if (dataset === undefined) throw new Error(`The dataset of project ${projectId} is gone.`)
  const question = { ...request, projectId, datasetId, service: settings.service }
  const counts =
    request.format === 'review-csv'
      ? await writeReview(db, project, dataset, request, sink)
      : await writeRows(
          (onPage) => readResults(db, question, onPage),
          await writerOf(db, project, dataset, request),
          request,
          sink,
        )
  const { absent } = await countDataset(db, datasetId)
  return { ...counts, absentLeftOut: request.includeAbsent ? 0 : absent }
}

/** The keys of a review file are of the records as they are now, so these are looked at first. */
async function writeReview(
  db: Db,
  project: Project,
  dataset: Dataset,
  request: ExportRequest,
  sink: TextSink,
): Promise<WrittenRows> {
  await refreshProjects(db, [project])
  const { service } = project.settings
  const review = reviewExport(request.prefix, await findService(db, service))
  const added = await withProperties(db, project, request, review)
  refuseCollision(dataset, added.names, request.prefix)
  const question = { ...request, projectId: project.id, datasetId: dataset.id, service }
  const rows = csvRows(dataset, added, request.excel)
  return writeRows((onPage) => readReview(db, question, onPage), rows, request, sink)
}

type WrittenRows = Pick<ExportReport, 'rows' | 'statuses'>

async function writeRows<Row extends EntryResult>(
  read: (onPage: (page: readonly Row[]) => Promise<void>) => Promise<void>,
  writer: ExportRows<Row>,
  { properties, imageWidthPx }: ExportRequest,
  sink: TextSink,
): Promise<WrittenRows> {
  const statuses: Record<string, number> = {}
  let rows = 0
  await sink.write(writer.head)
  await read(async (page) => {
    const shown =
      imageWidthPx === undefined
        ? page
        : page.map((result) => withImageAddresses(result, properties, imageWidthPx))
    const texts = shown.map((result, index) => writer.row(result, rows + index === 0))
    for (const { status } of page) statuses[status] = (statuses[status] ?? 0) + 1
    rows += page.length
    await sink.write(texts.join(''))
  })
  await sink.write(writer.tail)
  return { rows, statuses }
}

async function writerOf(
  db: Db,
  project: Project,
  dataset: Dataset,
  request: ExportRequest,
): Promise<ExportRows> {
  const { format, prefix, excel, properties } = request
  const own =
    format === 'openrefine-csv' ? openRefineColumns(prefix, project.settings) : matchColumns(prefix)
  const added = await withProperties(db, project, request, own)
  refuseCollision(dataset, added.names, prefix)
  if (format === 'jsonl') return jsonlRows(dataset, prefix, properties)
  if (format === 'json') return jsonRows(dataset, prefix, properties)
  return csvRows(dataset, added, excel)
}

async function withProperties<Row extends EntryResult>(
  db: Db,
  { settings }: Project,
  { prefix, properties }: ExportRequest,
  columns: AddedColumns<Row>,
): Promise<AddedColumns<Row>> {
  if (properties.length === 0) return columns
  const entities = await entityProperties(db, settings.service, properties)
  return withHeld(columns, prefix, properties, entities)
}

function refuseCollision(
  { columns, name }: Dataset,
  added: readonly string[],
  prefix: string,
): void {
  const taken = added.filter((column) => columns.includes(column))
  if (taken.length === 0) return
  throw new UsageError({
    code: 'column_collision',
    message: `Dataset "${name}" has columns of its own called ${taken.join(', ')}.`,
    hint: `Call the added ones otherwise: --prefix ${prefix === 'match_' ? 'new_' : `${prefix}2_`}`,
  })
}
