import { changedFields } from '../../core/extract/changed-fields.ts'
import type { Db } from '../../db/connect.ts'
import {
  countItems,
  type ItemThenAndNow,
  readItemChanges,
  type TwoExtractions,
} from '../../db/extract-diff.repo.ts'

/** `unclear`: the details of an item are there in one run and not in the other. */
export const itemChangeKinds = ['added', 'changed', 'removed', 'unclear'] as const
export type ItemChangeKind = (typeof itemChangeKinds)[number]

export interface ItemChange {
  readonly type: string
  readonly kind: ItemChangeKind
  readonly id: string
  /** Those that differ, of a changed item. */
  readonly fields: readonly string[]
}

export interface TypeChanges extends Readonly<Record<ItemChangeKind, number>> {
  readonly type: string
  readonly same: number
}

/**
 * Compares what two runs have kept.
 * @param onChange gets each change, type by type
 */
export async function diffExtractions(
  db: Db,
  runs: TwoExtractions,
  onChange: (change: ItemChange) => void | Promise<void>,
): Promise<readonly TypeChanges[]> {
  const counts = new Map(
    runs.types.map((type) => [type, { added: 0, changed: 0, removed: 0, unclear: 0 }]),
  )
  await readItemChanges(db, runs, async (page) => {
    for (const item of page) {
      const change = changeOf(item)
      // Its fields are the same, only their order is not.
      if (change === null) continue
      const ofType = counts.get(change.type)
      if (ofType !== undefined) ofType[change.kind] += 1
      await onChange(change)
    }
  })
  const items = await countItems(db, runs.to)
  return [...counts].map(([type, kinds]) => {
    const { added, changed, unclear } = kinds
    return { type, ...kinds, same: (items.get(type) ?? 0) - added - changed - unclear }
  })
}

function changeOf({ type, id, before, after, isUnclear }: ItemThenAndNow): ItemChange | null {
  if (before === null) return { type, kind: 'added', id, fields: [] }
  if (after === null) return { type, kind: 'removed', id, fields: [] }
  if (isUnclear) return { type, kind: 'unclear', id, fields: [] }
  const fields = changedFields(before, after)
  return fields.length === 0 ? null : { type, kind: 'changed', id, fields }
}
