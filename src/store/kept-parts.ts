import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isNoteName } from '../core/download/part-note.ts'

/** What came of a file is kept so long for its next attempt, ms: longer than hosts ask us to wait. */
const KEPT_MS = 24 * 60 * 60 * 1000

export interface KeptParts {
  /** Files that a next attempt goes on with. */
  readonly kept: ReadonlySet<string>
  /** Notes whose next attempt did not come. */
  readonly old: ReadonlySet<string>
}

/** @param names of the files in the folder */
export async function keptParts(
  dir: string,
  names: readonly string[],
  nowMs: number,
): Promise<KeptParts> {
  const kept = new Set<string>()
  const old = new Set<string>()
  for (const name of names.filter(isNoteName)) {
    const path = join(dir, name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) continue
    if (nowMs - found.mtimeMs >= KEPT_MS) old.add(name)
    else kept.add(await partOf(path))
  }
  return { kept, old }
}

async function partOf(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return /"part":"([\w.-]+)"/.exec(text)?.[1] ?? ''
}
