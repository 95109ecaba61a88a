/** The rows of a sheet, one list per unpacked piece; rows in which no cell shows anything are left out. */
import type { OnRead } from '../byte-source.ts'
import { brokenXlsx } from './broken-xlsx.ts'
import { type CellContext, cellText, type StoredCell } from './cell-text.ts'
import { readPart, type XlsxFile } from './read-part.ts'
import { attributeOf } from './xml-splitter.ts'

export interface SheetRow {
  /** Number of the row in the sheet, from 1. */
  readonly line: number
  /** By column from 0; columns without a cell are not there. */
  readonly cells: ReadonlyMap<number, string>
  /** What is wrong with one of its cells, as a clause that continues "row 7 …". */
  readonly fault: string | null
}

/** The sheet itself is never in memory; this bounds the time a zip bomb takes. */
const MOST_BYTES = 4 * 1024 * 1024 * 1024
/** XFD, the last one that spreadsheets have. */
const MOST_COLUMNS = 16_384
const LETTERS = /^([A-Z]{1,3})\d/

export async function* readSheet(
  file: XlsxFile,
  part: string,
  context: CellContext,
  onRead?: OnRead,
): AsyncGenerator<readonly SheetRow[]> {
  let line = 0
  let column = -1
  let cells = new Map<number, string>()
  let fault: string | null = null
  let isCell = false
  const cell = blankCell()
  let inside = ''
  let isReading = false
  for await (const tokens of readPart(file, part, MOST_BYTES, onRead)) {
    const rows: SheetRow[] = []
    for (const token of tokens) {
      if (token.kind === 'text') {
        if (!isCell || isReading) continue
        if (inside === 'v') cell.value += token.text
        else if (inside === 't') cell.inline += token.text
        continue
      }
      const { name } = token
      if (token.kind === 'open') {
        const of = (attribute: string) => attributeOf(token.attributes, attribute)
        if (name === 'row') {
          line = Number(of('r') ?? line + 1)
          column = -1
          cells = new Map()
          fault = null
        } else if (name === 'c') {
          column = columnOf(of('r')) ?? column + 1
          if (column >= MOST_COLUMNS) throw brokenXlsx(file.name, 'has more than 16,384 columns')
          isCell = true
          Object.assign(cell, blankCell(), { type: of('t') ?? 'n', style: Number(of('s') ?? 0) })
        } else if (name === 'f') cell.isFormula = true
        else if (name === 'rPh') isReading = true
        else if (name === 'v' || name === 't') inside = name
      } else if (name === 'v' || name === 't') inside = ''
      else if (name === 'rPh') isReading = false
      else if (name === 'c') {
        const read = cellText(cell, context)
        if ('fault' in read)
          fault ??= `has a cell (${columnName(column)}${line}) that ${read.fault}`
        else if (read.text !== '') cells.set(column, read.text)
        isCell = false
      } else if (name === 'row' && (cells.size > 0 || fault !== null)) {
        rows.push({ line, cells, fault })
      }
    }
    if (rows.length > 0) yield rows
  }
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

function blankCell(): Writable<StoredCell> {
  return { type: 'n', value: '', inline: '', style: 0, isFormula: false }
}

/** 0 for `A7`, 26 for `AA7`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = LETTERS.exec(reference ?? '')?.[1]
  if (letters === undefined) return undefined
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number - 1
}

/** `A` for 0, `AA` for 26. */
export function columnName(column: number): string {
  const [rest, last] = [Math.floor(column / 26), String.fromCharCode(65 + (column % 26))]
  return rest === 0 ? last : columnName(rest - 1) + last
}
