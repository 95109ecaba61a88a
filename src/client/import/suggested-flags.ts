import type { SuggestedColumn, SuggestedMapping } from '../../core/mapping/suggest-mapping.ts'
import { usualKind } from '../mapping/apply-mapping.ts'
import { shellWord } from '../shell-word.ts'

/**
 * What was proposed for the columns of a file, as options of `import`.
 * @param idColumns said already; empty: the proposed ones
 * @returns undefined where no column can be the name
 */
export function suggestedFlags(
  { columns, kind }: SuggestedMapping,
  idColumns: readonly string[],
): string | undefined {
  const of = (role: SuggestedColumn['role']) => columns.filter((column) => column.role === role)
  const names = of('name').map(({ column }) => column)
  if (names.length === 0) return undefined
  const name = names.length === 1 ? (names[0] ?? '') : names.map((one) => `{${one}}`).join(' ')
  const ids = idColumns.length > 0 ? idColumns : of('id').map(({ column }) => column)
  return [
    ...(ids.length === 0 ? [] : ['--id', ...ids]),
    '--name',
    name,
    ...of('variant').flatMap(({ column, separator }) => ['--variant', split(column, separator)]),
    ...propertyValues(of('property')).flatMap((value) => ['--property', value]),
    ...of('earlier').flatMap(({ column }) => ['--match-column', column]),
    ...(kind === 'generic' ? [] : ['--kind', kind]),
  ]
    .map(shellWord)
    .join(' ')
}

/** Two columns of coordinates are one value, the latitude first. */
function propertyValues(columns: readonly SuggestedColumn[]): readonly string[] {
  const pids = [...new Set(columns.map(({ pid }) => pid))]
  return pids.flatMap((pid) => {
    const of = columns.filter((column) => column.pid === pid)
    if (of.length === 2 && usualKind(pid, 1) === 'coordinate') {
      const pair = of.toSorted((a, b) => Number(isLongitude(a)) - Number(isLongitude(b)))
      return [`${pid}=${pair.map(({ column }) => column).join(',')}`]
    }
    return of.map(({ column, separator }) => `${pid}=${split(column, separator)}`)
  })
}

/** Of two columns of coordinates, by its name. */
export function isLongitude({ column }: Pick<SuggestedColumn, 'column'>): boolean {
  return /lon|lng|^x$/i.test(column)
}

function split(column: string, separator: string): string {
  return separator === '' ? column : `${column}:${separator}`
}
