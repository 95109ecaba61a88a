/** deadlock_detected, serialization_failure: PostgreSQL has undone the work so that another's can go on. */
const UNDONE_FOR_OTHERS = new Set<unknown>(['40P01', '40001'])
/** Each follows a second of waiting (`deadlock_timeout`). */
const MOST_TIMES = 10

/**
 * Does again what PostgreSQL undid because two waited for each other. For what nobody else does again, or not without asking
 * a service again. One order of all rows does not prevent it: where a row has a new version, both are locked.
 * @param work one statement, or one transaction
 */
export async function repeatDeadlocked<T>(work: () => Promise<T>): Promise<T> {
  for (let times = 1; ; times += 1) {
    try {
      return await work()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (times === MOST_TIMES || !UNDONE_FOR_OTHERS.has(code)) throw error
    }
  }
}
