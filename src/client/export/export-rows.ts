import type { EntryResult } from '../../db/results.repo.ts'

/** How an export is written: something before, a piece per row, something after. */
export interface ExportRows<Row = EntryResult> {
  readonly head: string
  /** @param isFirst no row came before */
  readonly row: (result: Row, isFirst: boolean) => string
  readonly tail: string
}
