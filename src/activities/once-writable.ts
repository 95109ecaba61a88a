/** Holds what a service has answered while PostgreSQL has no room for it: to drop it would mean to ask again. */
import { setTimeout as sleep } from 'node:timers/promises'

/** SQLSTATE of a full disk. Small writes, such as claims, may still fit, so a retry would ask, and lose the answer, again and again. */
const DISK_FULL = '53100'
const AGAIN_AFTER_MS = 1_000
/** Then it fails, so that somebody sees why. */
const MOST_TIMES = 60

/**
 * @param write Statements that can be sent again as they are: of one that found no room nothing was done.
 * @throws what `write` throws, a full disk after a minute; the reason of the signal
 */
export async function onceWritable<T>(
  signal: AbortSignal,
  write: () => Promise<T>,
  againAfterMs: number = AGAIN_AFTER_MS,
): Promise<T> {
  for (let times = 1; ; times += 1) {
    try {
      return await write()
    } catch (error) {
      if (!isDiskFull(error) || times > MOST_TIMES) throw error
      await sleep(againAfterMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DISK_FULL
}
