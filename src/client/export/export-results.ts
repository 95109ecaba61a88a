import { countDataset, type Dataset, datasetById } from '../../db/datasets.repo.ts'
import type { Db } from '../../db/connect.ts'
import type { Project } from '../../db/projects.repo.ts'
import { readResults } from '../../db/results.repo.ts'
import { UsageError } from '../../errors.ts'
import type { TextSink } from '../text-sink.ts'
import { csvRows } from './csv-rows.ts'
import type { ExportFormat } from './export-formats.ts'
import type { ExportRows } from './export-rows.ts'
import { jsonlRows, jsonRows } from './json-rows.ts'
import { matchFieldNames } from './match-fields.ts'

export interface ExportRequest {
  readonly format: ExportFormat
  /** Before each added column. */
  readonly prefix: string
  /** Values of `match_status`; empty: all. */
  readonly statuses: readonly string[]
  /** CSV only. */
  readonly excel: boolean
  readonly includeAbsent: boolean
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
  refuseCollision(dataset, request.prefix)
  const writer = writerOf(dataset, request)
  const statuses: Record<string, number> = {}
  let rows = 0
  await sink.write(writer.head)
  await readResults(
    db,
    { ...request, projectId, datasetId, service: settings.service },
    async (page) => {
      const texts = page.map((result, index) => writer.row(result, rows + index === 0))
      for (const { status } of page) statuses[status] = (statuses[status] ?? 0) + 1
      rows += page.length
      await sink.write(texts.join(''))
    },
  )
  await sink.write(writer.tail)
  const { absent } = await countDataset(db, datasetId)
  return { rows, statuses, absentLeftOut: request.includeAbsent ? 0 : absent }
}

function writerOf(dataset: Dataset, { format, prefix, excel }: ExportRequest): ExportRows {
  if (format === 'csv') return csvRows(dataset, prefix, excel)
  return format === 'jsonl' ? jsonlRows(dataset, prefix) : jsonRows(dataset, prefix)
}

function refuseCollision({ columns, name }: Dataset, prefix: string): void {
  const taken = matchFieldNames
    .map((field) => `${prefix}${field}`)
    .filter((column) => columns.includes(column))
  if (taken.length === 0) return
  throw new UsageError({
    code: 'column_collision',
    message: `Dataset "${name}" has columns of its own called ${taken.join(', ')}.`,
    hint: `Call the added ones otherwise: --prefix ${prefix === 'match_' ? 'new_' : `${prefix}2_`}`,
  })
}
