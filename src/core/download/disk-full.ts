/** No space left, over quota: it is the disk's trouble and not the file's. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/** Whether a failed write means that the disk, or somebody's share of it, is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && FULL.has(error.code)
}
