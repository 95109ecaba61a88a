/**
 * The thread of `file-hasher.ts`: hashes files while they grow. It reads what was written, so no bytes go between threads.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

const PIECE_BYTES = 1024 * 1024

/**
 * @typedef {object} Run
 * @property {number} file descriptor; -1: it cannot be read
 * @property {Map<string, import('node:crypto').Hash>} hashes
 * @property {number} hashedBytes
 * @property {number} writtenBytes
 * @property {{ id: number, bytes: number }[]} asks by size
 * @property {string | null} fault
 */

/** @type {Map<number, Run>} */
const runs = new Map()
const piece = Buffer.allocUnsafeSlow(PIECE_BYTES)

parentPort?.on('message', (/** @type {import('./file-hasher.ts').HashMessage} */ message) => {
  const { kind, run: key } = message
  if (kind === 'begin') {
    runs.set(key, begin(message))
    return
  }
  const run = runs.get(key)
  if (run === undefined) return
  if (kind === 'end') {
    runs.delete(key)
    if (run.file >= 0) closeSync(run.file)
    return
  }
  if (kind === 'ask') run.asks.push(message)
  else run.writtenBytes = message.bytes
  try {
    goOn(run)
  } catch (error) {
    run.fault = String(error)
  }
  if (run.fault !== null) for (const { id } of run.asks.splice(0)) tell({ id, fault: run.fault })
})

/**
 * @param {{ path: string, algorithms: readonly string[] }} wish
 * @returns {Run}
 */
function begin({ path, algorithms }) {
  const hashes = new Map(algorithms.map((name) => [name, createHash(name)]))
  const run = { file: -1, hashes, hashedBytes: 0, writtenBytes: 0, asks: [], fault: null }
  try {
    return { ...run, file: openSync(path, 'r') }
  } catch (error) {
    return { ...run, fault: String(error) }
  }
}

/**
 * Hashes what there is, and answers each question at the byte that it is about.
 * @param {Run} run
 */
function goOn(run) {
  if (run.fault !== null) return
  for (;;) {
    const [ask] = run.asks
    const end = Math.min(run.writtenBytes, ask?.bytes ?? Infinity)
    while (run.hashedBytes < end) {
      const wanted = Math.min(PIECE_BYTES, end - run.hashedBytes)
      const bytes = readSync(run.file, piece, 0, wanted, run.hashedBytes)
      if (bytes === 0) throw new Error(`it ends after ${run.hashedBytes} bytes, expected ${end}`)
      for (const hash of run.hashes.values()) hash.update(piece.subarray(0, bytes))
      run.hashedBytes += bytes
    }
    if (ask === undefined || run.hashedBytes < ask.bytes) return
    run.asks.shift()
    const isLate = run.hashedBytes > ask.bytes
    tell(
      isLate ? { id: ask.id, fault: 'more was hashed already' } : { id: ask.id, hex: hexOf(run) },
    )
  }
}

/** @param {Run} run */
function hexOf({ hashes }) {
  return [...hashes].map(([name, hash]) => /** @type {const} */ ([name, hash.copy().digest('hex')]))
}

/** @param {import('./file-hasher.ts').HashReport} report */
function tell(report) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(report)
}
