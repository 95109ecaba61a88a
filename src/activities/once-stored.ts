import { setTimeout as sleep } from 'node:timers/promises'
import { cancellationSignal, log } from '@temporalio/activity'
import { repeatUndone } from '../db/repeat-undone.ts'

/** So a full disk is waited for a minute. */
const LOOK_AFTER_MS = 1_000

/**
 * Holds what a service has answered while PostgreSQL has no room for it. Small writes, such as claims, may still fit, so a retry
 * of the activity would ask, and lose the answer, again and again.
 * @param store one statement, or one transaction
 * @throws what `store` throws, a full disk after a minute; that the activity is cancelled
 */
export function onceStored<T>(store: () => Promise<T>): Promise<T> {
  const signal = cancellationSignal()
  let isTold = false
  return repeatUndone(store, async () => {
    if (!isTold) log.warn('PostgreSQL has no room: an answer is held until there is some.')
    isTold = true
    await sleep(LOOK_AFTER_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
  })
}
