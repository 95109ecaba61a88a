import { textFault } from './escaped-bytes.ts'
import { jsonCells } from '../core/json-cells.ts'
import type { RejectedLine, TableBatch, TableRecord } from './table-batch.ts'

/**
 * The objects of a JSONL text, one batch per piece of text; blank lines are left out.
 * @param columns keys seen so far, in order of first appearance; new ones are added to it
 */
export async function* readJsonl(
  text: AsyncIterable<string>,
  columns: string[],
): AsyncGenerator<TableBatch> {
  const known = new Set(columns)
  let line = 0
  let ordinal = 0
  const batch = (lines: readonly string[]): TableBatch => {
    const records: TableRecord[] = []
    const rejected: RejectedLine[] = []
    for (const raw of lines.map((one) => one.replace(/\r$/, ''))) {
      line += 1
      if (raw.trim() === '') continue
      ordinal += 1
      const parsed = jsonCells(raw)
      const reason = 'fault' in parsed ? parsed.fault : cellsFault(parsed.cells)
      if (reason !== null || 'fault' in parsed) {
        rejected.push({ line, reason: reason ?? '', raw })
        continue
      }
      for (const column of Object.keys(parsed.cells)) {
        if (known.has(column)) continue
        known.add(column)
        columns.push(column)
      }
      records.push({ ordinal, line, cells: parsed.cells, raw })
    }
    return { records, rejected }
  }
  // Pieces of a line whose end has not come yet: joined once, so a huge line stays linear.
  let pieces: string[] = []
  for await (const piece of text) {
    const lines = piece.split('\n')
    const rest = lines.pop() ?? ''
    if (lines.length > 0) {
      lines[0] = pieces.join('') + (lines[0] ?? '')
      pieces = []
      yield batch(lines)
    }
    pieces.push(rest)
  }
  yield batch([pieces.join('')])
}

function cellsFault(cells: Readonly<Record<string, string>>): string | null {
  for (const text of Object.entries(cells).flat()) {
    const fault = textFault(text)
    if (fault !== null) return fault
  }
  return null
}
