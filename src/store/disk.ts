/** What a store of files asks of the file system, so that a test can let any step of it fail. */
import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, open, rename, rm, stat, statfs, utimes } from 'node:fs/promises'

export interface Disk {
  /** undefined: nothing is there. */
  readonly sizeOf: (path: string) => Promise<number | undefined>
  /** Writes everything of a file, or of a folder its names, to the disk itself. */
  readonly sync: (path: string) => Promise<void>
  /** @returns the topmost folder that had to be made; undefined: all were there */
  readonly makeFolder: (path: string) => Promise<string | undefined>
  /** Fails when the target exists. */
  readonly copy: (from: string, to: string) => Promise<void>
  readonly setMode: (path: string, mode: number) => Promise<void>
  readonly rename: (from: string, to: string) => Promise<void>
  readonly touch: (path: string) => Promise<void>
  /** Nothing happens when it is not there. */
  readonly remove: (path: string) => Promise<void>
  /** Bytes that this user may still write to the volume of a folder. */
  readonly freeBytes: (folder: string) => Promise<number>
}

export const nodeDisk: Disk = {
  sizeOf: (path) =>
    stat(path).then(
      ({ size }) => size,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      },
    ),
  async sync(path) {
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
  makeFolder: (path) => mkdir(path, { recursive: true }),
  copy: (from, to) => copyFile(from, to, constants.COPYFILE_EXCL),
  setMode: (path, mode) => chmod(path, mode),
  rename: (from, to) => rename(from, to),
  async touch(path) {
    const now = new Date()
    await utimes(path, now, now)
  },
  remove: (path) => rm(path, { force: true }),
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  },
}
