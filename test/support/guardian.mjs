/**
 * Ends test servers and removes their folders when the test run is over, however it ends: its stdin closes
 * with the process that started it, be it killed. Each line it reads is one thing to guard.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from '../../src/client/stack/process-identity.mjs'

/** @typedef {import('../../src/client/stack/process-identity.mjs').ProcessMark} ProcessMark */
/** @typedef {{ folder: string } | { mount: string } | { process: ProcessMark, signal: NodeJS.Signals }} Guarded */

const PATIENCE_MS = 5000

/** @type {Guarded[]} */
const guarded = []
for await (const line of createInterface({ input: process.stdin })) guarded.push(JSON.parse(line))

const ends = guarded.flatMap((one) => ('process' in one ? [end(one.process, one.signal)] : []))
await Promise.all(ends)
for (const one of guarded) {
  if ('mount' in one) spawnSync('umount', ['-l', one.mount])
  if ('folder' in one) rmSync(one.folder, { recursive: true, force: true })
}

/**
 * @param {ProcessMark} mark
 * @param {NodeJS.Signals} signal
 */
async function end(mark, signal) {
  const deadline = performance.now() + PATIENCE_MS
  if (isRunning(mark)) process.kill(mark.pid, signal)
  while (isRunning(mark)) {
    if (performance.now() > deadline) process.kill(mark.pid, 'SIGKILL')
    await sleep(20)
  }
}
