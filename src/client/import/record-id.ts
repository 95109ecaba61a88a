import { type Cells, trimBlank } from '../../core/matching/mapped-record.ts'

/** Ids are indexed, and an index entry holds some 2,700 bytes. */
const LONGEST_ID_BYTES = 1000

export type RecordId = { readonly id: string } | { readonly fault: string }

/**
 * The id of a record: its one id cell as it stands, or several joined by `|`, in which `\` and `|` get a `\`.
 * @param columns not empty
 */
export function recordId(cells: Cells, columns: readonly string[]): RecordId {
  const parts = columns.map((column) => cells[column] ?? '')
  const blank = columns.filter((_, index) => trimBlank(parts[index] ?? '') === '')
  if (blank.length > 0) return { fault: `has no id: column "${blank.join('", "')}" is blank` }
  const id =
    parts.length === 1
      ? (parts[0] ?? '')
      : parts.map((part) => part.replace(/[\\|]/g, '\\$&')).join('|')
  const bytes = Buffer.byteLength(id)
  return bytes > LONGEST_ID_BYTES
    ? { fault: `has an id of ${bytes} bytes, expected at most ${LONGEST_ID_BYTES}` }
    : { id }
}

/** Id of a record of a file without ids. */
export function rowId(position: number): string {
  return `row-${position}`
}
