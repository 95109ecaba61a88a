/** Files of attempts that are over: their worker died before it could remove them. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isTransferOfJob, tokenOfPart } from '../core/download/part-name.ts'
import { runningTokens } from '../db/blob-references.repo.ts'
import type { Db } from '../db/connect.ts'
import { keptParts } from './kept-parts.ts'

export interface PartOptions {
  readonly nowMs: number
  /** Files that were written to more lately than that are kept, ms. */
  readonly partAgeMs: number
  /** Nothing is removed, only counted. */
  readonly isDryRun?: boolean
}

export interface Removed {
  files: number
  bytes: number
}

/** A lane that was silent for so long is taken over, so what it wrote before is nobody's, ms. */
const TAKEN_OVER_MS = 10_000

/** Safe beside transfers, and to repeat. */
export async function collectParts(
  db: Db,
  tempDir: string,
  options: PartOptions,
): Promise<Removed> {
  return collect(db, tempDir, options, () => true)
}

/** At the end of a queue: what was on its way when a worker died. A transfer that is still going on keeps its file. */
export async function collectLostTransfers(
  db: Db,
  tempDir: string,
  nowMs: number,
): Promise<Removed> {
  return collect(db, tempDir, { nowMs, partAgeMs: TAKEN_OVER_MS }, isTransferOfJob)
}

async function collect(
  db: Db,
  tempDir: string,
  { nowMs, partAgeMs, isDryRun }: PartOptions,
  isMeant: (name: string) => boolean,
): Promise<Removed> {
  const removed: Removed = { files: 0, bytes: 0 }
  // Names first: an attempt has its token before its file.
  const names = await readdir(tempDir)
  const meant = names.filter(isMeant)
  if (meant.length === 0) return removed
  const running = await runningTokens(db)
  const { kept, old } = await keptParts(tempDir, names, nowMs)
  for (const name of meant) {
    // A transfer puts the token first, a store last.
    const isOfRunning = name.split('.').some((part) => running.has(part))
    const isPart = tokenOfPart(name) !== undefined && !kept.has(name)
    if ((!isPart && !old.has(name)) || isOfRunning) continue
    const path = join(tempDir, name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || nowMs - found.mtimeMs < partAgeMs) continue
    if (isDryRun !== true) await rm(path, { force: true })
    removed.files += 1
    removed.bytes += found.size
  }
  return removed
}
