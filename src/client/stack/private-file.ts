import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { z } from 'zod'

/** Writes a file that only its owner can read; readers see the old content or the new, never a part. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}

/** Content of a small file, or undefined when it is not there. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A JSON file of ours; undefined when it is not there or was written by another version. */
export function readJsonFile<T>(path: string, schema: z.ZodType<T>): T | undefined {
  const text = readIfThere(path)
  if (text === undefined) return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined // what it says would not help us; whoever needs it writes a new one
  }
}
