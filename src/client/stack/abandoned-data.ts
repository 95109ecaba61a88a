import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isStillThere, type Home } from './home.ts'
import { readOwner, writeOwner } from './owner-file.ts'
import { stopPostgresOf } from './postgres-pid-file.ts'

/**
 * A folder that is not where it was may have been renamed, or lie on a disk that is not mounted. Its data is
 * removed only when it stays away for a week.
 */
const GRACE_MS = 7 * 24 * 60 * 60 * 1000

/** Stops what still runs for homes that are gone, and removes their data after a week. */
export async function removeAbandonedData(
  sharedFolder: string,
  current: Home,
  nowMs: number,
  report: (line: string) => void,
): Promise<void> {
  for (const id of readdirSync(sharedFolder)) {
    const folder = join(sharedFolder, id)
    const owner = readOwner(folder)
    if (owner === undefined || id === current.id) continue
    if (isStillThere({ path: owner.home, id })) {
      if (owner.goneSinceMs !== undefined) writeOwner(folder, { home: owner.home })
      continue
    }
    if (existsSync(join(folder, 'data'))) await stopPostgresOf(join(folder, 'data'))
    const goneSinceMs = owner.goneSinceMs ?? nowMs
    if (nowMs - goneSinceMs < GRACE_MS) {
      writeOwner(folder, { home: owner.home, goneSinceMs })
    } else {
      rmSync(folder, { recursive: true, force: true })
      report(`Removed the database of ${owner.home}, a folder that is gone for a week.`)
    }
  }
}
