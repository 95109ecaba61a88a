import type { ByteSource } from '../../tabular/byte-source.ts'
import { openTable } from '../../tabular/open-table.ts'
import { UsageError } from '../../errors.ts'
import { itemId } from '../../core/matching/item-id.ts'
import { checkColumns } from '../mapping/check-columns.ts'

const NOT_THERE = 'NIL'

/**
 * Right answers by record id; null: the item is not there (`NIL`, or `in_kb` is 0). A blank qid is not known and left out.
 * @param service whose items they are; addresses and prefixes of Wikidata items are read
 * @throws UsageError when the file is no table, lacks the columns `id` and `qid`, has rejected lines or knows nothing
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
    for (const { cells } of records) {
      const qid = (cells.qid ?? '').trim()
      if (cells.in_kb?.trim() === '0' || qid === NOT_THERE) answers.set(cells.id ?? '', null)
      else if (qid !== '') answers.set(cells.id ?? '', itemId(qid, service) ?? qid)
    }
  }
  if (answers.size === 0) throw unusable(source.name, 'no row has a qid')
  return answers
}

function unusable(name: string, what: string): UsageError {
  return new UsageError({
    code: 'gold_unusable',
    message: `Cannot read right answers from ${name}: ${what}.`,
    hint: 'Expected columns id and qid; qid NIL (or in_kb 0) where there is no such item, blank where it is not known.',
  })
}
