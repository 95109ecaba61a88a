import { cancellationSignal } from '@temporalio/activity'
import { repeatUndone } from '../db/repeat-undone.ts'

/**
 * Holds what a service has answered while PostgreSQL has no room for it. Small writes, such as claims, may still fit, so a retry
 * of the activity would ask, and lose the answer, again and again.
 * @param store one statement, or one transaction
 * @throws what `store` throws, a full disk after a minute; that the activity is cancelled
 */
export function onceStored<T>(store: () => Promise<T>): Promise<T> {
  return repeatUndone(store, cancellationSignal())
}
