import type { IncomingJudgment } from '../../db/judgments.repo.ts'
import type { TableRecord } from '../../tabular/table-batch.ts'
import { judgmentOfRow } from './judgment-row.ts'

export interface RowFault {
  readonly line: number
  readonly reason: string
}

/** What the rows of a file say: each is a judgment, a fault, or nothing yet. */
export interface ReadJudgments {
  readonly judgments: readonly IncomingJudgment[]
  readonly faults: readonly RowFault[]
  readonly undecided: number
  /** Of the faults: the record, or what was shown of it, changed since the file was written. */
  readonly changed: number
}

export type ReadRows = (records: readonly TableRecord[]) => Promise<ReadJudgments>

/** Rows as `judgments export` writes them. */
export function judgmentRows(by: string, service: string): ReadRows {
  return (records) => {
    const judgments: IncomingJudgment[] = []
    const faults: RowFault[] = []
    for (const record of records) {
      const row = judgmentOfRow(record, by, service)
      if ('judgment' in row) judgments.push(row.judgment)
      else faults.push({ line: record.line, reason: row.faults.join('; ') })
    }
    return Promise.resolve({ judgments, faults, undecided: 0, changed: 0 })
  }
}
