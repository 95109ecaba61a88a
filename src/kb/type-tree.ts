import type { KbItem } from './kb-item.ts'

/** The types used in a file and, where it states "subclass of", those below them. */
export interface TypeTree {
  /** Types that items of the file have, most used first. */
  readonly used: readonly TypeUse[]
  /** The type itself and every type of the file that is a subclass of it, at any depth. */
  withSubclasses(type: string): ReadonlySet<string>
}

export interface TypeUse {
  readonly id: string
  readonly items: number
}

const SUBCLASS_OF = 'P279'

/** Reads the types of all items and the "subclass of" statements of those items that are types themselves. */
export function buildTypeTree(items: readonly KbItem[]): TypeTree {
  const counts = new Map<string, number>()
  const subclasses = new Map<string, string[]>()
  for (const item of items) {
    for (const type of item.types) counts.set(type, (counts.get(type) ?? 0) + 1)
    for (const value of item.properties.get(SUBCLASS_OF) ?? []) {
      const parent = typeof value === 'string' ? value : value.id
      const children = subclasses.get(parent)
      if (children === undefined) subclasses.set(parent, [item.qid])
      else children.push(item.qid)
    }
  }
  return {
    used: [...counts]
      .map(([id, count]) => ({ id, items: count }))
      .toSorted((a, b) => b.items - a.items || (a.id < b.id ? -1 : 1)),
    withSubclasses: (type) => {
      // A set is visited in the order of insertion, including what is added on the way; circles end here too.
      const found = new Set([type])
      for (const parent of found) for (const child of subclasses.get(parent) ?? []) found.add(child)
      return found
    },
  }
}
