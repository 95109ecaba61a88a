import { jsonCells } from '../json-cells.ts'
import type { ContentType } from './source-profile.ts'
import { valueAt } from './value-at.ts'

type Cells = Readonly<Record<string, string>>
type ItemShape = Pick<ContentType, 'id' | 'columns'>

/** The column that holds the id: the one filled from its place, else one of its own. */
export function idColumnOf({ id, columns }: ItemShape): string {
  if (columns !== null) {
    return Object.entries(columns).find(([, place]) => place === id)?.[0] ?? 'id'
  }
  return id.includes('.') ? 'id' : id
}

/** The cells of an item, as an import of it as JSON lines would have them, its id first. */
export function itemCells(shape: ItemShape, id: string, body: string): Cells {
  const cells = shape.columns === null ? cellsOf(body) : chosenCells(shape.columns, body)
  return { [idColumnOf(shape)]: id, ...cells }
}

function chosenCells(columns: Readonly<Record<string, string>>, body: string): Cells {
  const item = JSON.parse(body) as unknown
  const chosen = Object.entries(columns).map(
    ([column, place]) => [column, valueAt(item, place) ?? null] as const,
  )
  return cellsOf(JSON.stringify(Object.fromEntries(chosen)))
}

function cellsOf(line: string): Cells {
  const read = jsonCells(line)
  if ('fault' in read) throw new TypeError('expected an item that is an object')
  return read.cells
}
