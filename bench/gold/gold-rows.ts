import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Cells } from '../../src/core/matching/mapped-record.ts'

export interface GoldRow {
  readonly id: string
  readonly cells: Cells
  /** The right item; null: it is not in the knowledge base. */
  readonly expected: string | null
  /** Weights are fitted on half A and reported on half B. */
  readonly half: 'A' | 'B'
}

/** Reads `gold-NAME.dev.csv` of a data folder. */
export async function readGoldRows(folder: string, set: string): Promise<readonly GoldRow[]> {
  const text = await readFile(join(folder, `gold-${set}.dev.csv`), 'utf8')
  const rows: readonly Record<string, string>[] = parse(text, { columns: true, bom: true })
  return rows.map(({ qid = '', in_kb: inKb, ...cells }) => ({
    id: cells.id ?? '',
    cells,
    expected: inKb === '1' ? qid : null,
    half: halfOf(cells.id ?? ''),
  }))
}

/** By the parity of the last hexadecimal digit of the SHA-256 of the id: even is A. */
function halfOf(id: string): 'A' | 'B' {
  const digit = createHash('sha256').update(id).digest('hex').at(-1) ?? '0'
  return Number.parseInt(digit, 16) % 2 === 0 ? 'A' : 'B'
}
