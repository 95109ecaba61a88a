import type { Cells } from '../core/matching/mapped-record.ts'
import type { Db } from './connect.ts'

/** A record of a run with what came out, for a table that people read. */
export interface RunSampleRow {
  readonly cells: Cells
  readonly matchStatus: string
  readonly matchQid: string | null
  /** Of the best candidate, matched or not. */
  readonly label: string | null
  readonly reason: string | null
}

/** The first records of a run, in file order. */
export async function runSampleRows(
  db: Db,
  runId: number,
  limit: number,
): Promise<readonly RunSampleRow[]> {
  const rows = await db
    .selectFrom('result as r')
    .innerJoin('entry as e', 'e.id', 'r.entry_id')
    .leftJoin('item as i', (join) =>
      join.onRef('i.service', '=', 'r.service').onRef('i.external_id', '=', 'r.best_external_id'),
    )
    .where('r.run_id', '=', runId)
    .select(['e.source', 'r.match_status', 'r.match_qid', 'i.label', 'r.reason', 'r.error_message'])
    .orderBy('r.position')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    cells: row.source,
    matchStatus: row.match_status,
    matchQid: row.match_qid,
    label: row.label,
    reason: row.reason ?? row.error_message,
  }))
}
