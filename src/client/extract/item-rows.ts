import { idColumnOf, itemCells } from '../../core/extract/item-cells.ts'
import type { ContentType } from '../../core/extract/source-profile.ts'
import type { Db } from '../../db/connect.ts'
import { type ExportedItem, fieldsOfItems } from '../../db/extract-export.repo.ts'
import type { TypeKey } from '../../db/extract-pages.repo.ts'
import { csvLine } from '../../tabular/write-csv.ts'
import { defuseFormula } from '../export/defuse-formula.ts'
import type { ExportRows } from '../export/export-rows.ts'
import type { ItemFormat } from './item-formats.ts'

const COMMA = { delimiter: ',', quote: '"' } as const
const BYTE_ORDER_MARK = '\ufeff'

/** JSON as the source sent it; CSV with the cells that the records have. @param excel CSV for spreadsheets */
export async function itemRows(
  db: Db,
  key: TypeKey,
  type: ContentType,
  { format, excel }: { readonly format: ItemFormat; readonly excel: boolean },
): Promise<ExportRows<ExportedItem>> {
  if (format === 'jsonl') return { head: '', row: ({ body }) => `${body}\n`, tail: '' }
  if (format === 'json') {
    const row = ({ body }: ExportedItem, isFirst: boolean) => `${isFirst ? '' : ','}\n${body}`
    return { head: '[', row, tail: '\n]\n' }
  }
  const own = type.columns === null ? await fieldsOfItems(db, key) : Object.keys(type.columns)
  const columns = [...new Set([idColumnOf(type), ...own])]
  const line = (cells: readonly string[]) =>
    `${csvLine(excel ? cells.map(defuseFormula) : cells, COMMA)}\n`
  return {
    head: `${excel ? BYTE_ORDER_MARK : ''}${line(columns)}`,
    row({ id, body }) {
      const cells = itemCells(type, id, body)
      return line(
        columns.map((column) => (Object.hasOwn(cells, column) ? cells[column] : '') ?? ''),
      )
    },
    tail: '',
  }
}
