import type { ImportReport } from './import-records.ts'

/** What became, or would become, of the records of a file, one line each. */
export function countLines(report: Omit<ImportReport, 'dataset' | 'datasetId'>): readonly string[] {
  return (['new', 'changed', 'unchanged', 'absent', 'rejected'] as const).map(
    (what) => `  ${what.padEnd(10)}${String(report[what]).padStart(8)}`,
  )
}
