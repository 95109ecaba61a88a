/**
 * Files and folders that are made of the program and kept for others of its states, as long as they are in use. Plain
 * JavaScript: the set-up scripts compile the program with it.
 */
import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** By when they were last used: processes of an older state may still run, or be about to read. */
const KEPT = 20

/**
 * Says that a file or folder is in use.
 * @param {string} path
 */
export function touch(path) {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // Somebody else's, which we may read: its age matters only to them.
  }
}

/**
 * Removes all but the twenty that were used last.
 * @param {string} folder
 * @param {string} [prefix] of the names that count; default: all
 */
export function forgetOldest(folder, prefix = '') {
  const byUse = readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(folder, name))
    // One that is gone by now was put in place, or forgotten, by another process.
    .map((path) => ({ path, usedMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.usedMs - a.usedMs)
  for (const { path } of byUse.slice(KEPT)) rmSync(path, { recursive: true, force: true })
}
