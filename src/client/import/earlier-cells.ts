/** Looks at a column of earlier matches while its file is read: which cells hold no item's id, and on which line. */
import { counted } from '../../core/counted.ts'
import { givenWikidataId, isWikidataService, itemId } from '../../core/matching/item-id.ts'
import { type Cells, trimBlank } from '../../core/matching/mapped-record.ts'

export interface UnreadableCell {
  readonly line: number
  readonly cell: string
}

/** What the column of earlier matches holds: items + blank + unreadable = records of the file. */
export interface EarlierCells {
  readonly column: string
  readonly items: number
  readonly blank: number
  readonly unreadable: number
  /** The first of them. */
  readonly unreadableCells: readonly UnreadableCell[]
}

export interface EarlierColumn {
  readonly column: string
  /** Of the projects that read it. */
  readonly services: readonly string[]
}

const CELLS_KEPT = 100
const CELLS_SHOWN = 20
const LONGEST_SHOWN = 60

export class EarlierCellCount {
  readonly #column: EarlierColumn
  #wikidata = 0
  #blank = 0
  readonly #other: Kept = { count: 0, first: [] }
  readonly #unreadable: Kept = { count: 0, first: [] }

  constructor(column: EarlierColumn) {
    this.#column = column
  }

  add(line: number, cells: Cells): void {
    const { column } = this.#column
    const text = Object.hasOwn(cells, column) ? trimBlank(cells[column] ?? '') : ''
    if (text === '') this.#blank += 1
    else if (givenWikidataId(text) !== undefined) this.#wikidata += 1
    else keep(itemId(text, '') === undefined ? this.#unreadable : this.#other, line, text)
  }

  /** Whether other ids than Wikidata's are items shows only at the end: no Q-id stands beside them. */
  report(): EarlierCells {
    const { column, services } = this.#column
    const isWikidata = this.#wikidata > 0 || services.some(isWikidataService)
    const faults = isWikidata ? [this.#unreadable, this.#other] : [this.#unreadable]
    const unreadable = faults.reduce((sum, { count }) => sum + count, 0)
    return {
      column,
      items: this.#wikidata + (isWikidata ? 0 : this.#other.count),
      blank: this.#blank,
      unreadable,
      unreadableCells: faults
        .flatMap(({ first }) => first)
        .toSorted((a, b) => a.line - b.line)
        .slice(0, CELLS_KEPT),
    }
  }
}

/** The report for people, one line each. */
export function earlierCellLines(cells: EarlierCells): readonly string[] {
  const { column, items, blank, unreadable, unreadableCells } = cells
  const shown = unreadableCells.slice(0, CELLS_SHOWN)
  const more = unreadable - shown.length
  return [
    `column "${column}": ${counted(items, 'item')}, ${blank} blank, ${unreadable} unreadable`,
    ...shown.map(
      ({ line, cell }) =>
        `  line ${line}: "${shortened(cell)}" is no item id; expected one like Q42`,
    ),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

interface Kept {
  count: number
  readonly first: UnreadableCell[]
}

function keep(kept: Kept, line: number, cell: string): void {
  kept.count += 1
  if (kept.first.length < CELLS_KEPT) kept.first.push({ line, cell })
}

function shortened(text: string): string {
  const characters = Array.from(text.replace(/\s+/gu, ' '))
  return characters.length <= LONGEST_SHOWN
    ? characters.join('')
    : `${characters.slice(0, LONGEST_SHOWN).join('')}…`
}
