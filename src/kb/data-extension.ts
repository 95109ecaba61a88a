/** Data extension of API 0.2: the values of properties as columns. */
import { z } from 'zod'
import type { KbIndex } from './kb-index.ts'
import type { KbItem, KbValue } from './kb-item.ts'

const settings = z.object({ limit: z.coerce.number().int().nonnegative().nullish() }).nullish()

/** What is asked for: at most `limit` values per property, 0 or absent for all. */
export const extensionQuerySchema = z.object({
  ids: z.array(z.string()),
  properties: z.array(z.object({ id: z.string().min(1), settings })),
})
export type ExtensionQuery = z.infer<typeof extensionQuerySchema>

type Cell = { readonly id: string; readonly name: string } | { readonly str: string }

export interface ExtensionAnswer {
  readonly meta: readonly { readonly id: string; readonly name: string }[]
  /** By item id, then property id. An unknown item or unstated property has an empty list. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, readonly Cell[]>>>>
}

interface PropertyProposal {
  readonly id: string
  readonly name: string
}

export function extendItems(index: KbIndex, { ids, properties }: ExtensionQuery): ExtensionAnswer {
  // From entries, so that an id such as `__proto__` becomes a key like any other.
  const rows = ids.map((id) => {
    const item = index.items[index.positionOf(id) ?? -1]
    const cells = properties.map((property) => {
      const values = item === undefined ? [] : valuesOf(item, property.id)
      const limit = property.settings?.limit ?? 0
      const wanted = limit === 0 ? values : values.slice(0, limit)
      return [property.id, wanted.map((value) => cellOf(index, value))] as const
    })
    return [id, Object.fromEntries(cells)] as const
  })
  return {
    meta: properties.map(({ id }) => ({ id, name: index.nameOf(id) })),
    rows: Object.fromEntries(rows),
  }
}

/** Properties that items of a type state, most used first; of all items when no type is given. */
export function proposeProperties(
  index: KbIndex,
  type: string | undefined,
  limit: number,
): readonly PropertyProposal[] {
  const types = type === undefined ? undefined : index.types.withSubclasses(type)
  const isOfType = (item: KbItem): boolean =>
    types === undefined || item.types.some((id) => types.has(id))
  const counts = new Map<string, number>()
  for (const item of index.items.filter(isOfType)) {
    for (const pid of item.properties.keys()) counts.set(pid, (counts.get(pid) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([a, used], [b, usedToo]) => usedToo - used || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([id]) => ({ id, name: index.nameOf(id) }))
}

/** As the services of Wikidata: `Len` is a label, `Den` a description, `Aen` aliases; a file has one language. */
const TERM = /^([LDA])[a-z]{2,}(?:-[a-z0-9]+)*$/

function valuesOf(item: KbItem, property: string): readonly KbValue[] {
  const stated = item.properties.get(property)
  if (stated !== undefined) return stated
  const term = TERM.exec(property)?.[1]
  if (term === 'L') return [item.label]
  if (term === 'D') return item.description === undefined ? [] : [item.description]
  return term === 'A' ? item.aliases : []
}

function cellOf(index: KbIndex, value: KbValue): Cell {
  if (typeof value === 'string') return { str: value }
  return { id: value.id, name: value.name ?? index.nameOf(value.id) }
}
