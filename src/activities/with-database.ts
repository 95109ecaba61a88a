import { setTimeout as sleep } from 'node:timers/promises'
import { isPostgresAway } from '../db/is-postgres-away.ts'

const AGAIN_MS = 1_000

/** What has been fetched is not lost because the database is away: it is waited for, until the signal. */
export async function withDatabase<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isPostgresAway(error) || signal.aborted) throw error
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) throw error
    }
  }
}
