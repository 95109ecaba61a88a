import type { HeldValue } from '../../core/matching/candidate.ts'

/** Between several values of one cell. */
const BETWEEN = '|'

/** Values of an item as one cell: texts as they are, other items by id. */
export function heldText(values: readonly HeldValue[]): string {
  return values.map((value) => (typeof value === 'string' ? value : value.id)).join(BETWEEN)
}

/** The same with the names of other items, where they have one. */
export function heldLabels(values: readonly HeldValue[]): string {
  return values
    .map((value) => (typeof value === 'string' ? value : (value.name ?? value.id)))
    .join(BETWEEN)
}
