import { type Cells, trimBlank } from '../../core/matching/mapped-record.ts'
import type { IncomingJudgment } from '../../db/judgments.repo.ts'
import { itemId } from '../../core/matching/item-id.ts'

/** Columns of a file of judgments; the first two are needed. */
export const judgmentColumns = [
  'id',
  'verdict',
  'qid',
  'by',
  'at',
  'note',
  'stale',
  'match_hash',
] as const

const VERDICTS = ['match', 'none_fits', 'not_in_wikidata', 'not_applicable', 'undo'] as const

const ISO_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const SHA256_HEX = /^[0-9a-f]{64}$/i

export type JudgmentRowResult =
  { readonly judgment: IncomingJudgment } | { readonly faults: readonly string[] }

/**
 * Reads one row; all its faults are told at once.
 * @param by who says it where the row does not say
 * @param service of the project: decides what an item id looks like
 */
export function judgmentOfRow(
  { line, cells }: { readonly line: number; readonly cells: Cells },
  by: string,
  service: string,
): JudgmentRowResult {
  const cell = (column: (typeof judgmentColumns)[number]) =>
    Object.hasOwn(cells, column) ? trimBlank(cells[column] ?? '') : ''
  const faults: string[] = []
  // An id is compared as it stands.
  const externalId = cells['id'] ?? ''
  if (trimBlank(externalId) === '') faults.push('id is blank')
  const verdict = VERDICTS.find((one) => one === cell('verdict'))
  if (verdict === undefined) {
    faults.push(`verdict is "${cell('verdict')}", expected ${VERDICTS.join(', ')}`)
  }
  const qid = cell('qid') === '' ? null : itemId(cell('qid'), service)
  if (qid === undefined) faults.push(`qid "${cell('qid')}" is no item id, expected one like Q42`)
  if (verdict === 'match' && qid === null) faults.push('qid is blank, needed with verdict match')
  if (verdict !== undefined && verdict !== 'match' && qid !== null) {
    faults.push(`qid is given, but verdict is ${verdict}`)
  }
  const at = cell('at') === '' ? null : new Date(cell('at').replace(' ', 'T'))
  if (at !== null && (!ISO_TIME.test(cell('at')) || Number.isNaN(at.getTime()))) {
    faults.push(`at is "${cell('at')}", expected a time like 2026-11-27T10:00:00Z`)
  }
  const hash = cell('match_hash')
  if (hash !== '' && !SHA256_HEX.test(hash)) faults.push('match_hash is no SHA-256')
  if (faults.length > 0 || verdict === undefined || qid === undefined) return { faults }
  return {
    judgment: {
      line,
      externalId,
      verdict,
      qid,
      by: cell('by') || by,
      at,
      note: cell('note') || null,
      matchHash: hash === '' ? null : Buffer.from(hash, 'hex'),
    },
  }
}
