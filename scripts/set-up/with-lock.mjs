import { setTimeout as sleep } from 'node:timers/promises'
import { takeProcessLock } from '../../src/client/stack/process-lock.mjs'

/**
 * Runs `work` while no other process holds the lock, waiting for its turn.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, work) {
  let told = false
  for (;;) {
    const taken = takeProcessLock(path)
    if ('held' in taken) {
      try {
        return await work()
      } finally {
        taken.held.release()
      }
    }
    if (!told) {
      process.stderr.write(`set-up: waiting for another set-up (process ${taken.owner.pid}) …\n`)
      told = true
    }
    await sleep(300)
  }
}
