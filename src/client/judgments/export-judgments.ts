import type { Db } from '../../db/connect.ts'
import { type CurrentJudgment, readJudgments } from '../../db/judgments.repo.ts'
import { csvLine } from '../../tabular/write-csv.ts'
import type { TextSink } from '../text-sink.ts'
import type { JudgmentFormat } from './judgment-formats.ts'
import { judgmentColumns } from './judgment-row.ts'

const COMMA = { delimiter: ',', quote: '"' }

/**
 * Writes the judgments that hold.
 * @returns how many there are, and how many of them are stale
 */
export async function exportJudgments(
  db: Db,
  projectId: number,
  format: JudgmentFormat,
  sink: TextSink,
): Promise<{ readonly judgments: number; readonly stale: number }> {
  const counts = { judgments: 0, stale: 0 }
  if (format === 'csv') await sink.write(`${judgmentColumns.join(',')}\n`)
  if (format === 'json') await sink.write('[')
  await readJudgments(db, projectId, async (page) => {
    counts.judgments += page.length
    counts.stale += page.filter((judgment) => judgment.stale).length
    const texts = page
      .map(cellsOf)
      .map((cells) =>
        format === 'csv' ? csvLine(Object.values(cells), COMMA) : JSON.stringify(cells),
      )
    if (format === 'json') {
      const isFirst = counts.judgments === page.length
      await sink.write(`${isFirst ? '' : ','}\n${texts.join(',\n')}`)
    } else await sink.write(`${texts.join('\n')}\n`)
  })
  if (format === 'json') await sink.write('\n]\n')
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
