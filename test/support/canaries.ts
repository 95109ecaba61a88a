/** Strings that are looked for where no text of a record may be: one per column, each told apart from the others. */
import type { TestRecord } from './match-project-rows.ts'

/** What all of them have in common, in whatever case. */
const MARK = 'canary'

/** Names, types and what is mapped to be sent. */
export const sentColumns = ['name', 'also', 'country', 'kind'] as const
/** Compared here, mapped to be kept, and not mapped at all. */
export const keptColumns = ['id', 'founded', 'remark', 'phone'] as const

export const canaryMapping = {
  name: 'name',
  variants: [{ column: 'also', separator: '|' }],
  properties: [
    { pid: 'P17', columns: ['country'], kind: 'text', use: 'send' },
    { pid: 'P571', columns: ['founded'], kind: 'date', use: 'compare' },
    { pid: 'P9', columns: ['remark'], kind: 'text', use: 'keep' },
  ],
  typeColumn: 'kind',
} as const

/** A record whose every cell is a canary. */
export function canaryRecord(number: number, namePrefix = ''): TestRecord {
  const cell = (column: string) => `Canary-${column}-${number}`
  const cells = [...sentColumns, ...keptColumns].map((column) => [column, cell(column)])
  return { id: cell('id'), ...Object.fromEntries(cells), name: `${namePrefix}${cell('name')}` }
}

/** Every place of a text that has a canary, with what stands around it. */
export function canariesIn(text: string): readonly string[] {
  const readable = text.replaceAll(/%[\da-f]{2}/gi, (code) => {
    try {
      return decodeURIComponent(code)
    } catch {
      return code // a part of a longer sign
    }
  })
  return [...readable.matchAll(new RegExp(`.{0,60}${MARK}.{0,60}`, 'gi'))].map(([found]) => found)
}
