/**
 * A pool whose callers wait for a free connection as long as it takes. The driver has one limit for two waits: for the
 * server, which is away when it does not answer, and for other callers, who are only slow. An answer that a service has
 * given must not be lost, and asked for again, because of the latter.
 */
import type { Pool, PoolClient } from 'pg'

export interface PatientPool {
  /** @throws when the server does not answer in the driver's own limit, never because the pool is busy. */
  readonly connect: () => Promise<PoolClient>
  readonly end: () => Promise<void>
  readonly use: () => PoolUse
}

export interface PoolUse {
  readonly busy: number
  readonly free: number
  /** Callers in line. */
  readonly waiting: number
}

/** @param size connections that `pool` may have; nobody else may take one of it */
export function patientPool(pool: Pool, size: number): PatientPool {
  let free = size
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return {
    async connect() {
      // Whoever leaves hands its place on, so the count stays.
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      let client: PoolClient
      try {
        client = await pool.connect()
      } catch (error) {
        leave()
        throw error
      }
      // The driver gives a client a new `release` for each use.
      const release = client.release.bind(client)
      client.release = (broken) => {
        release(broken)
        leave()
      }
      return client
    },
    end: () => pool.end(),
    use: () => ({ busy: size - free, free, waiting: waiting.length }),
  }
}
