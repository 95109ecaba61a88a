import { basename } from 'node:path'
import { UsageError } from '../../errors.ts'

/** Endings that say a format; with the others of `ANY_TABLE` and without one the usual format is written. */
const ENDINGS: Readonly<Record<string, string>> = {
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  json: 'json',
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  svg: 'svg',
}
const ANY_FORMAT = new Set(['txt', 'text', 'out', 'tmp', 'dat', 'bak', 'old', 'new', 'partial'])
/** A word behind the last point; `shops.2026` and `v1.5` have none. */
const ENDING = /\.([a-z][a-z0-9]{0,9})$/i

/**
 * The format of a file whose format nobody said, by its name.
 * @param formats that can be written; the first is the usual one
 * @param flag that says the format; undefined: there is none
 * @throws UsageError `no_such_format`
 */
export function formatOfEnding<Format extends string>(
  path: string,
  formats: readonly [Format, ...Format[]],
  flag?: string,
): Format {
  const ending = ENDING.exec(basename(path))?.[1]?.toLowerCase()
  if (ending === undefined || ANY_FORMAT.has(ending)) return formats[0]
  const meant = ENDINGS[ending]
  const format = formats.find((one) => one === meant)
  if (format !== undefined) return format
  const spreadsheet = /^(xls[xmb]?|ods|numbers)$/.test(ending)
    ? ' Spreadsheets open CSV; "export" writes it for them with --excel.'
    : ''
  throw new UsageError({
    code: 'no_such_format',
    message: `${path} ends with ".${ending}", which is no format that can be written; expected ${formats.join(', ')}.`,
    hint: `Use another ending, such as ${path.slice(0, -ending.length)}${formats[0]}${flag === undefined ? '' : `, or say what to write into it: ${flag} ${formats.join('|')}`}.${spreadsheet}`,
  })
}
