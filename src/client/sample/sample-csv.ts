import { stringify } from 'csv-stringify/sync'
import type { RecordMapping } from '../../core/project-settings.ts'
import type { SampleRecord } from './sample-records.ts'

const SEPARATOR = '|'

/** The sample as a user's file would look: header `id,name,variants,country,category`, lists separated by a bar. */
export function sampleCsv(records: readonly SampleRecord[]): string {
  return stringify(
    records.map(({ id, name, variants, countries, category }) => ({
      id,
      name,
      variants: variants.join(SEPARATOR),
      country: countries.join(SEPARATOR),
      category,
    })),
    { header: true },
  )
}

/** How a project reads that file: country and category are compared by our own score, never sent. */
export const sampleMapping: RecordMapping = {
  name: 'name',
  variants: [{ column: 'variants', separator: SEPARATOR }],
  properties: [
    { pid: 'P17', columns: ['country'], kind: 'item', use: 'compare', split: SEPARATOR },
    { pid: 'category', columns: ['category'], kind: 'text', use: 'compare' },
  ],
}
