import type { KbItem } from './kb-item.ts'
import { buildNameIndex, type NameIndex } from './name-index.ts'
import { buildTypeTree, type TypeTree } from './type-tree.ts'
import { buildValueIndex, type ValueIndex } from './value-index.ts'

/** A knowledge base ready to be asked: pure data, no file and no network behind it. */
export interface KbIndex {
  readonly items: readonly KbItem[]
  readonly names: NameIndex
  readonly values: ValueIndex
  readonly types: TypeTree
  /** Position of an item by its id; undefined when the file does not have it. */
  positionOf(id: string): number | undefined
  /** Label of an item, type or property that has a row of its own in the file; else the id. */
  nameOf(id: string): string
}

/** Indexes items; each id may occur once. */
export function createKbIndex(items: readonly KbItem[]): KbIndex {
  const positions = new Map(items.map((item, position) => [item.qid, position]))
  return {
    items,
    names: buildNameIndex(items),
    values: buildValueIndex(items),
    types: buildTypeTree(items),
    positionOf: (id) => positions.get(id),
    nameOf: (id) => items[positions.get(id) ?? -1]?.label ?? id,
  }
}
