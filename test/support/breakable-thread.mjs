/**
 * A thread in the place of `decide-thread.ts`, whose tasks say by their number what it does: it ends in the middle of 13,
 * computes for ever over 14, finds no database in 15, answers 16 only when it is aborted, and decides all others, of
 * which as many records wait as their number says.
 */
import { parentPort } from 'node:worker_threads'

/** @typedef {import('../../src/workers/decide-in-thread.ts').DecideMessage} DecideMessage */
/** @typedef {import('../../src/workers/decide-in-thread.ts').DecideReport} DecideReport */

parentPort?.on('message', (/** @type {DecideMessage} */ message) => {
  if (message.kind === 'close') parentPort?.close()
  else if (message.kind === 'abort') fail(message.id, 'aborted', undefined)
  else decide(message.id, message.key.task)
})

/**
 * @param {number} id
 * @param {number} task
 */
function decide(id, task) {
  if (task === 13) process.exit(1)
  if (task === 14) for (;;);
  if (task === 15) fail(id, 'connect', 'ECONNREFUSED')
  else if (task !== 16) say({ kind: 'decided', id, waiting: task })
}

/**
 * @param {number} id
 * @param {string} message
 * @param {string | undefined} code
 */
function fail(id, message, code) {
  say({ kind: 'failed', id, error: { name: 'Error', message, stack: undefined, code } })
}

/** @param {DecideReport} report */
function say(report) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(report)
}
