import { UsageError } from '../../errors.ts'
import { imageProperties } from '../../core/commons/image-properties.ts'
import type { ExportFlags } from '../commands/export.ts'
import { type ExportFormat, exportFormats } from './export-formats.ts'
import { formatOfEnding } from './format-of-ending.ts'

export interface ExportTarget {
  readonly format: ExportFormat
  /** null: stdout. */
  readonly path: string | null
}

/** @throws UsageError `no_such_format` */
export function targetOf({ format, output }: ExportFlags): ExportTarget {
  // Elsewhere `-o` names a format; nobody calls a file just "jsonl".
  const meant = exportFormats.find((one) => one === output)
  if (meant !== undefined) return { format: format ?? meant, path: null }
  if (output === '-') return { format: format ?? 'csv', path: null }
  return { format: format ?? formatOfEnding(output, ENDING_FORMATS, '--format'), path: output }
}

/** Formats that an ending can say; the others are CSV or text too, and have to be asked for. */
const ENDING_FORMATS = ['csv', 'jsonl', 'json'] as const

/** What only an earlier export of this kind has near its beginning. */
export function markOf(format: ExportFormat, prefix: string): string | RegExp {
  if (format === 'quickstatements') return /^(?:Q\d+\tP\d+\t|CREATE$)/m
  if (format === 'review-csv') return `${prefix}key`
  return format === 'openrefine-csv' ? `${prefix}judgment` : `${prefix}qid`
}

/**
 * Flags that say nothing in this format are refused, not ignored.
 * @throws UsageError `bad_flag`
 */
export function checkExportFlags(flags: ExportFlags, format: ExportFormat): void {
  const isStatements = format === 'quickstatements'
  const isCsv = format.endsWith('csv')
  if (flags.excel === true && !isCsv) refuse('--excel', 'CSV', format)
  if (isStatements && flags.only.length > 0) refuse('--only', 'tables of records', format)
  if (isStatements && flags.with.length > 0) refuse('--with', 'tables of records', format)
  if (flags.imageWidth !== undefined && imageProperties(flags.with).length === 0) {
    refuse('--image-width', 'columns of images, such as --with P18', `"${flags.with.join(',')}"`)
  }
  const ofStatements = {
    '--statement': flags.statement.length > 0,
    '--source': flags.source.length > 0,
    '--include-automatic': flags.includeAutomatic === true,
    '--create-new': flags.createNew === true,
  }
  for (const [flag, given] of Object.entries(ofStatements)) {
    if (given && !isStatements) refuse(flag, 'quickstatements', format)
  }
}

function refuse(flag: string, belongsTo: string, format: string): never {
  throw new UsageError({
    code: 'bad_flag',
    message: `${flag} is for ${belongsTo}; ${format} was asked for.`,
  })
}
