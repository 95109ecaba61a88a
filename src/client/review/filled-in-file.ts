import { counted } from '../../core/counted.ts'
import { stat } from 'node:fs/promises'
import { trimBlank } from '../../core/matching/mapped-record.ts'
import { UsageError } from '../../errors.ts'
import { fileSource } from '../../tabular/byte-source.ts'
import { openTable } from '../../tabular/open-table.ts'
import { findReviewColumns } from './review-columns.ts'

/**
 * A review file in which somebody has decided something is their work, and not replaced by a new one.
 * @throws UsageError `would_overwrite`, and those of `openTable` where it can no longer be read
 */
export async function refuseFilledIn(path: string, projectId: number): Promise<void> {
  if (!(await hasText(path))) return
  const table = await openTable(await fileSource(path))
  const columns = findReviewColumns(table.columns)
  if (columns === undefined) return
  let decided = 0
  for await (const { records } of table.batches()) {
    decided += records.filter(({ cells }) => trimBlank(cells[columns.decision] ?? '') !== '').length
  }
  if (decided === 0) return
  throw new UsageError({
    code: 'would_overwrite',
    message: `${path} has ${counted(decided, 'decision')} filled in, which a new review file would replace.`,
    hint: `Bring them in first: ./record-linker judgments import ${path} --project ${projectId}. Then choose another name, or replace it with --force.`,
  })
}

async function hasText(path: string): Promise<boolean> {
  try {
    const found = await stat(path)
    return found.isFile() && found.size > 0
  } catch {
    // No such file; writing will tell what else there is to tell.
    return false
  }
}
