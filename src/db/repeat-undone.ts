/** What PostgreSQL has undone as a whole, and does another time. */
interface Undone {
  readonly mostTimes: number
}

/** deadlock_detected, serialization_failure: undone so that another's can go on. Each follows a second (`deadlock_timeout`). */
const forOthers: Undone = { mostTimes: 10 }
/** disk_full. Then it fails, so that somebody sees why. */
const forRoom: Undone = { mostTimes: 60 }

const undoneByState: ReadonlyMap<unknown, Undone> = new Map([
  ['40P01', forOthers],
  ['40001', forOthers],
  ['53100', forRoom],
])

/**
 * Does again what PostgreSQL undid because two waited for each other, or, for who can wait, because its disk was full. For what
 * nobody else does again, or not without asking a service again. One order of all rows does not prevent the former: where a row
 * has a new version, both are locked.
 * @param work one statement, or one transaction
 * @param waitForRoom until it is time to look whether there is some; without it nobody waits for any
 * @throws what `work` throws, a full disk after 60 times; what `waitForRoom` throws
 */
export async function repeatUndone<T>(
  work: () => Promise<T>,
  waitForRoom?: () => Promise<void>,
): Promise<T> {
  const times = new Map<Undone, number>()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const undone = undoneByState.get(error instanceof Error && 'code' in error && error.code)
      if (undone === undefined) throw error
      const count = (times.get(undone) ?? 0) + 1
      times.set(undone, count)
      if (count >= undone.mostTimes) throw error
      if (undone === forRoom) {
        if (waitForRoom === undefined) throw error
        await waitForRoom()
      }
    }
  }
}
