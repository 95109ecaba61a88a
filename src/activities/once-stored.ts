/**
 * What becomes of the answers of services while PostgreSQL has no room for them.
 *
 *   room ── an answer finds none ──▶ none: it is held, nobody asks ── it is stored, or a try finds room ──▶ room
 *
 * Small writes, such as claims, may still fit meanwhile, so without this a retry would ask, and lose the answer, again and again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { cancellationSignal, log } from '@temporalio/activity'
import { isPostgresAway } from '../db/is-postgres-away.ts'
import { repeatUndone } from '../db/repeat-undone.ts'
import type { Logger } from '../log.ts'

/** So an answer is held for a minute. */
const LOOK_AFTER_MS = 1_000

/** Of this process; others find out by themselves. */
let lacksRoom = false
let trial: Promise<void> | undefined

/**
 * @param store one statement, or one transaction
 * @throws what `store` throws, a full disk after a minute; that the activity is cancelled
 */
export async function onceStored<T>(store: () => Promise<T>): Promise<T> {
  const signal = cancellationSignal()
  let isHeld = false
  const stored = await repeatUndone(store, async () => {
    if (!isHeld) log.warn('PostgreSQL has no room: an answer is held until there is some.')
    isHeld = true
    lacksRoom = true
    await sleep(LOOK_AFTER_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
  })
  if (isHeld) lacksRoom = false
  return stored
}

/**
 * To be called before anybody is asked.
 * @param tryRoom writes as much as an answer, and takes it back; not called as long as nothing is known to be amiss
 * @throws that there is no room, or no PostgreSQL; where trying fails for another reason, answers find out
 */
export async function assertRoom(
  tryRoom: () => Promise<void>,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  if (!lacksRoom) return
  trial ??= tryRoom().finally(() => (trial = undefined))
  try {
    await trial
  } catch (error) {
    if (isPostgresAway(error)) throw error
    logger.warn({ err: error }, 'Whether PostgreSQL has room again cannot be tried.')
  }
  lacksRoom = false
}
