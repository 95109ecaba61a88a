/**
 * A folder with little room. Who may mount gets a real volume, which is really full; for others most of the disk is
 * called a reserve.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallVolume {
  readonly dir: string
  /** What is full here says so itself, in the middle of a file. */
  readonly isReal: boolean
  /** To be kept free by whoever writes there. */
  reserveBytes(): number
  /** Makes room for everything. */
  enlarge(): void
  close(): void
}

export function openSmallVolume(megabytes: number): SmallVolume {
  const dir = mkdtempSync(join(tmpdir(), 'record-linker-small-'))
  const isReal = mount(dir, `size=${megabytes}m`)
  let isSmall = true
  return {
    dir,
    isReal,
    reserveBytes() {
      if (isReal || !isSmall) return 0
      const { bavail, bsize } = statfsSync(dir)
      return bavail * bsize - megabytes * 1e6
    },
    enlarge() {
      isSmall = false
      if (isReal) mount(dir, `remount,size=${megabytes * 20}m`)
    },
    close() {
      if (isReal) execFileSync('umount', ['-l', dir])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function mount(dir: string, options: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir], { stdio: 'ignore' })
    return true
  } catch {
    // Not root, or a system without it.
    return false
  }
}
