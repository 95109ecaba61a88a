import { trimBlank } from '../core/matching/mapped-record.ts'

export interface ColumnNames {
  /** One per column, all different, none blank. */
  readonly columns: readonly string[]
  /** What had to be changed, one sentence each. */
  readonly notes: readonly string[]
}

/** Names for the columns of a header: edges trimmed, blank ones numbered, repeated ones made different. */
export function columnNames(header: readonly string[]): ColumnNames {
  const notes: string[] = []
  const taken = new Set(header.map(trimBlank))
  const used = new Set<string>()
  const columns = header.map((cell, index) => {
    const wanted = trimBlank(cell)
    const name =
      wanted === ''
        ? free(`column_${index + 1}`, taken)
        : used.has(wanted)
          ? free(`${wanted}_2`, taken)
          : wanted
    if (wanted === '') notes.push(`Column ${index + 1} has no name; it is called "${name}" here.`)
    else if (name !== wanted) {
      notes.push(`Column ${index + 1} is a second "${wanted}"; it is called "${name}" here.`)
    }
    used.add(name)
    taken.add(name)
    return name
  })
  return { columns, notes }
}

/** The name itself, or the first free one that counts on from it. */
function free(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  const base = name.replace(/_\d+$/, '')
  let number = 2
  while (taken.has(`${base}_${number}`)) number += 1
  return `${base}_${number}`
}
