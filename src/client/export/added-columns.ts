import type { EntryResult } from '../../db/results.repo.ts'
import { heldLabels, heldText } from './held-text.ts'
import { matchFieldNames, matchFields } from './match-fields.ts'

/** What an export puts behind the columns of the file. */
export interface AddedColumns<Row = EntryResult> {
  readonly names: readonly string[]
  /** One value per name; null is an empty cell. */
  readonly values: (row: Row) => readonly (string | number | null)[]
}

/** The columns of the plain export. */
export function matchColumns(prefix: string): AddedColumns {
  return {
    names: matchFieldNames.map((name) => `${prefix}${name}`),
    values(result) {
      const fields = matchFields(result)
      return matchFieldNames.map((name) => fields[name])
    },
  }
}

/**
 * The same columns, then one per property of the matched items: ids of other items are followed by a column of their
 * names.
 * @param entities of these, the properties whose values are other items
 */
export function withHeld<Row extends EntryResult>(
  columns: AddedColumns<Row>,
  prefix: string,
  properties: readonly string[],
  entities: ReadonlySet<string>,
): AddedColumns<Row> {
  const names = properties.flatMap((property) =>
    entities.has(property)
      ? [`${prefix}${property}`, `${prefix}${property}_label`]
      : [`${prefix}${property}`],
  )
  return {
    names: [...columns.names, ...names],
    values(row) {
      const cells = properties.flatMap((property) => {
        const held = row.held?.[property] ?? []
        return entities.has(property) ? [heldText(held), heldLabels(held)] : [heldText(held)]
      })
      return [...columns.values(row), ...cells]
    },
  }
}
