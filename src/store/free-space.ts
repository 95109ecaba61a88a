import type { Disk } from './disk.ts'
import { StoreError } from './store-error.ts'

/** What is written beside the file itself: folders, journals, other transfers that began at the same time. */
const MARGIN = 1.1

export const DEFAULT_RESERVE_BYTES = 2 ** 30

/**
 * @param bytes expected; null: unknown
 * @throws StoreError `disk_full`
 */
export async function ensureFreeSpace(
  disk: Disk,
  folder: string,
  bytes: number | null,
  reserveBytes: number,
): Promise<void> {
  const wanted = Math.ceil((bytes ?? 0) * MARGIN) + reserveBytes
  const free = await disk.freeBytes(folder)
  if (free >= wanted) return
  throw new StoreError({
    kind: 'disk',
    code: 'disk_full',
    message: `The disk of ${folder} has ${megabytes(free)} free; ${megabytes(wanted)} are wanted: the file, a tenth more, and the reserve of ${megabytes(reserveBytes)}.`,
    hint: 'Make room there, then run: ./record-linker queue resume',
  })
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
}
