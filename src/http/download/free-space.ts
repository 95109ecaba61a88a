import { statfs } from 'node:fs/promises'
import { diskFull } from './temp-file.ts'

/** File systems need more for a file than its bytes. */
const OVERHEAD = 1.1

/** Bytes that this process may still write to a folder's volume. */
export async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

/** @throws DownloadError `disk-full` when a file of that length would leave less than the reserve. */
export async function needSpace(
  freeBytes: (dir: string) => Promise<number>,
  dir: string,
  { bytes, reserveBytes }: { readonly bytes: number; readonly reserveBytes: number },
): Promise<void> {
  const needed = bytes * OVERHEAD + reserveBytes
  const free = await freeBytes(dir)
  if (free >= needed) return
  const mib = (amount: number): string =>
    `${Math.ceil(amount / 1024 ** 2).toLocaleString('en')} MiB`
  throw diskFull(`The volume of the store has ${mib(free)} free and ${mib(needed)} are needed`)
}
