/**
 * A lock file that belongs to one living process. Plain JavaScript: the set-up scripts use it before any
 * module is installed.
 *
 *   free ──link──▶ held ──release──▶ free
 *                   └─ owner died ─▶ stale ──broken by one contender──▶ free
 *
 * Taking is `link(2)`: atomic, and the file is complete from its first instant. A stale lock is removed only
 * by the holder of a second lock (`….break`), who looks again before removing, so that two contenders never
 * both remove, and none removes a fresh lock.
 */
import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRunning, markProcess } from './process-identity.mjs'

/** A break lock lives for microseconds; an older one was left by a process killed in that moment. */
const BREAK_LOCK_STALE_MS = 10_000

/**
 * `path` is written too: a lock in a copied folder is not a lock.
 * @typedef {import('./process-identity.mjs').ProcessMark & { readonly path: string, readonly nonce: string }} LockOwner
 * @typedef {{ readonly release: () => void }} HeldLock
 */

/**
 * Tries once, without waiting.
 * @param {string} path
 * @returns {{ readonly held: HeldLock } | { readonly owner: LockOwner }} the lock, or who holds it.
 */
export function takeProcessLock(path) {
  mkdirSync(dirname(path), { recursive: true })
  const me = { ...markProcess(process.pid), path, nonce: randomUUID() }
  for (;;) {
    if (writeNew(path, me)) return { held: { release: () => release(path, me) } }
    const owner = lockOwner(path)
    if (owner !== undefined) return { owner }
    breakStale(path)
  }
}

/**
 * @param {string} path
 * @returns {LockOwner | undefined} undefined: free, or left by a process that is gone.
 */
export function lockOwner(path) {
  const owner = read(path)
  return owner !== undefined && owner.path === path && isRunning(owner) ? owner : undefined
}

/**
 * @param {string} path
 * @param {LockOwner} owner
 */
function writeNew(path, owner) {
  const draft = `${path}.${owner.nonce}`
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** @param {string} path */
function breakStale(path) {
  const breakPath = `${path}.break`
  const me = { ...markProcess(process.pid), path: breakPath, nonce: randomUUID() }
  if (!writeNew(breakPath, me)) {
    if (ageMs(breakPath) > BREAK_LOCK_STALE_MS) rmSync(breakPath, { force: true })
    pause(20)
    return
  }
  try {
    if (lockOwner(path) === undefined) rmSync(path, { force: true })
  } finally {
    release(breakPath, me)
  }
}

/**
 * @param {string} path
 * @param {LockOwner} owner
 */
function release(path, owner) {
  if (read(path)?.nonce === owner.nonce) rmSync(path, { force: true })
}

/**
 * @param {string} path
 * @returns {LockOwner | undefined}
 */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined // not there, or not ours: a lock nobody can hold
  }
}

/** @param {string} path */
function ageMs(path) {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
}

/** @param {number} ms */
function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
