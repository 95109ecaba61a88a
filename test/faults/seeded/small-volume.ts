/**
 * A small volume that can be filled up. It is a file system in memory, which only root with the right to mount can
 * make; where that is refused there is none, and no full disk either.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Guardian } from '../../support/start-guardian.ts'

export interface SmallVolume {
  /** Leaves no byte free. */
  readonly fill: () => void
  /** Frees what `fill` took. */
  readonly free: () => void
  /** Its content is gone then. */
  readonly remove: () => void
}

/** Room for a cluster, its log and some thousand records; as much memory is taken while it is full. */
const SIZE_MB = 400
const CHUNK_BYTES = 1024 * 1024

/** @returns undefined where nothing can be mounted */
export function mountSmallVolume(folder: string, guardian: Guardian): SmallVolume | undefined {
  mkdirSync(folder, { recursive: true })
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', folder])
  if (made.status !== 0) return undefined
  guardian.guardMount(folder)
  const ballast = join(folder, 'ballast')
  return {
    fill: () => fill(ballast),
    free: () => rmSync(ballast, { force: true }),
    // Lazily: a process that is just ending may still be in it.
    remove: () => void spawnSync('umount', ['-l', folder]),
  }
}

function fill(file: string): void {
  const descriptor = openSync(file, 'a')
  try {
    for (let bytes = CHUNK_BYTES; bytes >= 1; bytes = Math.floor(bytes / 2)) {
      const chunk = Buffer.alloc(bytes)
      while (written(descriptor, chunk) === bytes);
    }
  } finally {
    closeSync(descriptor)
  }
}

/** @returns how many bytes there was room for. */
function written(descriptor: number, chunk: Buffer): number {
  try {
    return writeSync(descriptor, chunk)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return 0
    throw error
  }
}
