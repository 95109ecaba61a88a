import type { ByteSource } from '../../tabular/byte-source.ts'
import { openTable } from '../../tabular/open-table.ts'
import { UsageError } from '../../errors.ts'
import type { Cells } from '../../core/matching/mapped-record.ts'
import { itemId } from '../../core/matching/item-id.ts'
import { checkColumns } from '../mapping/check-columns.ts'

const NOT_THERE = 'NIL'

/**
 * Right answers by record id; null: the item is not there (`NIL`, or `in_kb` is 0). A blank qid is not known and left out.
 * Exported judgments are such a file too: `not_in_wikidata` says that the item is not there; none of the candidates being
 * right (`none_fits`) leaves open which is, and what is stale was said of another record.
 * @param service whose items they are; addresses and prefixes of Wikidata items are read
 * @throws UsageError when the file is no table, lacks the columns `id` and `qid`, has rejected lines, knows nothing or
 *   contradicts itself
 */
export async function readGold(
  source: ByteSource,
  service: string,
): Promise<ReadonlyMap<string, string | null>> {
  const table = await openTable(source, {})
  checkColumns(['id', 'qid'], table.columns, source.name)
  const answers = new Map<string, string | null>()
  for await (const { records, rejected } of table.batches()) {
    const [bad] = rejected
    if (bad !== undefined) throw unusable(source.name, `line ${bad.line}: ${bad.reason}`)
    for (const { line, cells } of records) {
      const id = cells.id ?? ''
      const answer = answerOf(cells, service)
      if (answer === undefined) continue
      if (answers.has(id) && answers.get(id) !== answer) {
        throw unusable(
          source.name,
          `line ${line} has another answer for "${id}" than a line before`,
        )
      }
      answers.set(id, answer)
    }
  }
  if (answers.size === 0) throw unusable(source.name, 'no row has a qid')
  return answers
}

/** @returns undefined where it is not known */
function answerOf(cells: Cells, service: string): string | null | undefined {
  const qid = (cells.qid ?? '').trim()
  if (cells.stale?.trim() === 'yes') return undefined
  if (cells.verdict?.trim() === 'not_in_wikidata') return null
  if (cells.in_kb?.trim() === '0' || qid === NOT_THERE) return null
  return qid === '' ? undefined : (itemId(qid, service) ?? qid)
}

function unusable(name: string, what: string): UsageError {
  return new UsageError({
    code: 'gold_unusable',
    message: `Cannot read right answers from ${name}: ${what}.`,
    hint: 'Expected columns id and qid; qid NIL (or in_kb 0) where there is no such item, blank where it is not known.',
  })
}
