import { type CsvDialect, CsvSplitter } from './csv-splitter.ts'

/** Tried in this order; where two fit equally the first wins. */
const delimiters = [',', '\t', ';', '|'] as const

const RECORDS_LOOKED_AT = 100
/** With fewer records as wide as the header, the character is no delimiter but occurs in the text. */
const LEAST_SHARE = 0.5

/**
 * The delimiter that cuts most records into as many cells as the header has. A file in which none does has one column.
 * @param whole whether the sample is all there is
 */
export function detectDelimiter(
  sample: string,
  whole: boolean,
  dialect: Omit<CsvDialect, 'delimiter'>,
): string {
  const fits = delimiters.map((delimiter) => fit(sample, whole, { ...dialect, delimiter }))
  const wide = fits.filter((one) => one.columns > 1 && one.share >= LEAST_SHARE)
  const narrow = fits.filter((one) => one.columns === 1)
  const [best] = (wide.length > 0 ? wide : narrow).toSorted(
    (a, b) => b.share - a.share || b.columns - a.columns,
  )
  return best?.delimiter ?? ','
}

function fit(sample: string, whole: boolean, dialect: CsvDialect) {
  const splitter = new CsvSplitter(dialect)
  const lines = [...splitter.push(sample), ...(whole ? splitter.end() : [])].slice(
    0,
    RECORDS_LOOKED_AT,
  )
  const widths = lines.map((line) => ('cells' in line ? line.cells.length : 0))
  const columns = widths[0] ?? 0
  const equal = widths.filter((width) => width === columns).length
  return { delimiter: dialect.delimiter, columns, share: equal / Math.max(1, widths.length) }
}
