import type { SuggestedMapping } from '../../core/mapping/suggest-mapping.ts'
import { oneLine, tableText } from '../output.ts'

/** The columns of a file nobody has said anything of yet: what each probably is, and its first cells. */
export function proposalLines(
  { columns }: SuggestedMapping,
  records: readonly { readonly cells: Readonly<Record<string, string>> }[],
): readonly string[] {
  const rows = columns.map(({ column, role, pid, separator, why }) => [
    shortened(column),
    role === 'skip' ? 'not used' : ROLES[role],
    [pid, separator === '' ? '' : `split at "${separator}"`].filter((one) => one !== '').join(', '),
    why,
    records.map(({ cells }) => shortened(cells[column] ?? '')).join(' / '),
  ])
  return [tableText(['column', 'probably', '', 'because', 'first cells'], rows)]
}

const ROLES = {
  id: 'the id',
  name: 'the name',
  variant: 'further names',
  property: 'a property',
  earlier: 'an earlier match',
} as const

const LONGEST_CELL = 24

function shortened(text: string): string {
  const characters = Array.from(oneLine(text))
  return characters.length <= LONGEST_CELL
    ? characters.join('')
    : `${characters.slice(0, LONGEST_CELL).join('')}…`
}
