import type { TableFormat } from '../../core/table-format.ts'
import type { Table } from '../../tabular/open-table.ts'

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
}

/** How a file was understood, for people. */
export function tableLines(name: string, table: Table): readonly string[] {
  const { format, kindText = formatText(format), because, columns, notes } = table
  return [
    `${name}: ${kindText}, ${format.encoding} (${because})`,
    `columns: ${columns.join(', ')}`,
    ...notes,
  ]
}

export function formatText(format: TableFormat): string {
  if (format.kind === 'jsonl') return 'JSONL'
  const between = DELIMITER_NAMES[format.delimiter] ?? `"${format.delimiter}"`
  const quotes = format.quote === '"' ? '' : `, quote ${format.quote ?? 'none'}`
  return `CSV, delimiter ${between}${quotes}`
}
