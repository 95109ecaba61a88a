import type { Db } from '../../db/connect.ts'
import { type CurrentJudgment, readJudgments } from '../../db/judgments.repo.ts'
import { csvLine } from '../../tabular/write-csv.ts'
import type { TextSink } from '../text-sink.ts'
import { judgmentColumns } from './judgment-row.ts'

const COMMA = { delimiter: ',', quote: '"' }

/**
 * Writes the judgments that hold, as `judgments import` reads them.
 * @returns how many there are, and how many of them are stale
 */
export async function exportJudgments(
  db: Db,
  projectId: number,
  format: 'csv' | 'jsonl',
  sink: TextSink,
): Promise<{ readonly judgments: number; readonly stale: number }> {
  const counts = { judgments: 0, stale: 0 }
  if (format === 'csv') await sink.write(`${judgmentColumns.join(',')}\n`)
  await readJudgments(db, projectId, async (page) => {
    counts.judgments += page.length
    counts.stale += page.filter((judgment) => judgment.stale).length
    const texts = page
      .map(cellsOf)
      .map((cells) =>
        format === 'csv' ? csvLine(Object.values(cells), COMMA) : JSON.stringify(cells),
      )
    await sink.write(`${texts.join('\n')}\n`)
  })
  return counts
}

function cellsOf(judgment: CurrentJudgment): Record<(typeof judgmentColumns)[number], string> {
  return {
    id: judgment.externalId,
    verdict: judgment.verdict,
    qid: judgment.qid ?? '',
    by: judgment.by,
    at: judgment.at.toISOString(),
    note: judgment.note ?? '',
    stale: judgment.stale ? 'yes' : '',
    match_hash: judgment.matchHash.toString('hex'),
  }
}
