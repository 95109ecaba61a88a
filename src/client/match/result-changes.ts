/** Records whose result differs between two moments, counted and told. */
import { changeKinds, type Conclusion } from '../../core/matching/result-change.ts'
import { tableText } from '../output.ts'

/** `stale`: judged, and changed since. */
export const shownKinds = [...changeKinds, 'stale'] as const
export type ShownKind = (typeof shownKinds)[number]
export type ChangeCounts = Readonly<Record<ShownKind, number>>

export interface ResultChange {
  readonly kind: ShownKind
  /** Id of the record in its dataset. */
  readonly id: string
  readonly before: Conclusion | null
  readonly after: Conclusion | null
}

const MEANING: Readonly<Record<ShownKind, string>> = {
  new: 'matched, and not before',
  changed: 'another item',
  lost: 'no longer matched',
  merged: 'its item became part of another',
  moved: 'another outcome, no match before or after',
  stale: 'judged, and changed since',
}

export function emptyCounts(): Record<ShownKind, number> {
  return { new: 0, changed: 0, lost: 0, merged: 0, moved: 0, stale: 0 }
}

/** `3 new, 1 lost`; `nothing` where nothing changed. */
export function countsText(counts: ChangeCounts): string {
  const parts = shownKinds.filter((kind) => counts[kind] > 0)
  return parts.map((kind) => `${counts[kind]} ${kind}`).join(', ') || 'nothing'
}

/** A line for each kind there is. */
export function countLines(counts: ChangeCounts): readonly string[] {
  return shownKinds.flatMap((kind) =>
    counts[kind] === 0 ? [] : [`  ${kind.padEnd(10)}${counts[kind]}  ${MEANING[kind]}`],
  )
}

/** Old and new of each, side by side; nothing where there is none. */
export function changesTable(changes: readonly ResultChange[]): readonly string[] {
  if (changes.length === 0) return []
  return [
    '',
    tableText(
      ['record', 'change', 'before', 'after', 'reason'],
      changes.map(({ kind, id, before, after }) => [
        id,
        kind,
        conclusionText(before),
        conclusionText(after),
        after?.reason ?? null,
      ]),
    ),
  ]
}

/** `matched Q1`, `review Q2?`: whom a review is about is a guess. */
function conclusionText(conclusion: Conclusion | null): string {
  if (conclusion === null) return '–'
  const { outcome, qid } = conclusion
  if (outcome === 'matched') return `matched ${qid ?? ''}`
  if (outcome === 'review') return `review ${qid ?? ''}?`
  return outcome.replace('_', ' ')
}
