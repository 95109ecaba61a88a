/**
 * One at a time per key, over all processes: who takes a flight does the work, the others wait and then find it done. A
 * lock of one session of the database per process; when the process or its session dies the lock is free again, and the
 * worst that comes of it is work done twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

export interface KeyFlights {
  /**
   * @param key SHA-256
   * @param patienceMs how long it is waited for
   * @returns what ends the flight; undefined: somebody else still has it
   */
  readonly take: (
    key: Buffer,
    wait: { readonly patienceMs: number; readonly signal?: AbortSignal },
  ) => Promise<(() => Promise<void>) | undefined>
  /** Ends the session and with it all flights. */
  readonly close: () => Promise<void>
}

/** Between two looks at a key that is taken. */
const LOOK_AGAIN_MS = 100

/** Connects with the first flight, and again after the connection was lost. */
export function openKeyFlights(databaseUrl: string): KeyFlights {
  // A session is given a lock that it has already: those of this process are told apart here.
  const here = new Set<string>()
  let session: Promise<Client> | undefined

  async function connected(): Promise<Client> {
    session ??= connect()
    try {
      return await session
    } catch (error) {
      session = undefined
      throw error
    }
  }

  async function connect(): Promise<Client> {
    const client = new Client({
      connectionString: databaseUrl,
      application_name: 'record-linker flights',
      keepAlive: true,
    })
    // The next flight connects anew.
    const isLost = () => {
      session = undefined
    }
    client.on('error', isLost)
    client.on('end', isLost)
    await client.connect()
    return client
  }

  async function tryTake(name: string): Promise<(() => Promise<void>) | undefined> {
    if (here.has(name)) return undefined
    here.add(name)
    try {
      const client = await connected()
      const { rows } = await client.query<{ taken: boolean }>(
        'select pg_try_advisory_lock($1::bigint) as taken',
        [name],
      )
      if (rows[0]?.taken === true) return ender(name, client)
    } catch (error) {
      here.delete(name)
      throw error
    }
    here.delete(name)
    return undefined
  }

  function ender(name: string, client: Client): () => Promise<void> {
    let isOver = false
    return async () => {
      if (isOver) return
      isOver = true
      try {
        await client.query('select pg_advisory_unlock($1::bigint)', [name])
      } catch {
        // The session is lost, and its locks with it.
      } finally {
        here.delete(name)
      }
    }
  }

  return {
    async take(key, { patienceMs, signal }) {
      const name = key.readBigInt64BE(0).toString()
      const deadline = performance.now() + patienceMs
      for (;;) {
        signal?.throwIfAborted()
        const end = await tryTake(name)
        if (end !== undefined) return end
        if (performance.now() >= deadline) return undefined
        await sleep(LOOK_AGAIN_MS, undefined, signal === undefined ? {} : { signal })
      }
    },
    async close() {
      const client = await session?.catch(() => undefined)
      session = undefined
      await client?.end().catch(() => undefined)
    },
  }
}
