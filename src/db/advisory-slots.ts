/**
 * Slots that all workers share: advisory locks of one session per process, number 0 to cap - 1 of a key. A process that
 * dies loses its session, and with it its slots. A session that breaks loses them too, while what they stood for still
 * runs: until that has ended there may be more under way than the cap.
 */
import { Client } from 'pg'
import { RecordLinkerError } from '../errors.ts'
import { sha256 } from './sha256.ts'

export interface SlotWish {
  /** What is limited, such as `host/example.org`. */
  readonly key: string
  /** At least 1. */
  readonly cap: number
}

/** No slot came free in time. */
export class NoSlotError extends RecordLinkerError {
  constructor(keys: readonly string[]) {
    super({
      code: 'no_slot_soon',
      message: `As many as may be are under way for ${keys.join(' and ')}; expected one to end soon.`,
    })
  }
}

export interface Slots {
  /**
   * One slot of each key, or none at all.
   * @returns gives them back; to call it twice is harmless
   * @throws NoSlotError after `waitMs`; the signal's reason
   */
  take(
    wishes: readonly SlotWish[],
    wait: { readonly signal: AbortSignal; readonly waitMs: number },
  ): Promise<() => void>
  close(): Promise<void>
}

/** Slots of other processes come free without a word; one looks again after at most so long. */
const LOOK_AGAIN_MS = 250

interface Session {
  readonly client: Client
  /** Numbers that this process has, by key: a session gets its own locks again and again. */
  readonly held: Map<string, Set<number>>
}

export function createSlots(databaseUrl: string): Slots {
  let session: Promise<Session> | undefined
  let turn: Promise<unknown> = Promise.resolve()
  const waiting = new Set<() => void>()

  const open = (): Promise<Session> => {
    session ??= connect(databaseUrl, () => (session = undefined)).catch((error: unknown) => {
      session = undefined
      throw error
    })
    return session
  }
  /** One after the other: the session is one, and what is free must not change between look and lock. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }
  const give = (from: Session, taken: readonly (readonly [string, number])[]) =>
    inTurn(async () => {
      await unlock(from, taken)
      for (const wake of waiting) wake()
    }).catch(() => undefined)

  return {
    async take(wishes, { signal, waitMs }) {
      const deadlineMs = performance.now() + waitMs
      for (;;) {
        signal.throwIfAborted()
        const current = await open()
        const taken = await inTurn(() => lockAll(current, wishes))
        if (taken !== undefined) {
          let isGiven = false
          return () => {
            if (isGiven) return
            isGiven = true
            void give(current, taken)
          }
        }
        if (performance.now() >= deadlineMs) throw new NoSlotError(wishes.map(({ key }) => key))
        await new Promise<void>((resolve) => {
          const wake = () => {
            clearTimeout(timer)
            waiting.delete(wake)
            signal.removeEventListener('abort', wake)
            resolve()
          }
          const timer = setTimeout(wake, LOOK_AGAIN_MS)
          waiting.add(wake)
          signal.addEventListener('abort', wake)
        })
      }
    },
    async close() {
      await turn
      await session?.then(({ client }) => client.end()).catch(() => undefined)
    },
  }
}

async function connect(databaseUrl: string, onEnd: () => void): Promise<Session> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'record-linker slots',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  client.on('error', onEnd)
  client.on('end', onEnd)
  await client.connect()
  return { client, held: new Map() }
}

async function lockAll(
  session: Session,
  wishes: readonly SlotWish[],
): Promise<readonly (readonly [string, number])[] | undefined> {
  const taken: (readonly [string, number])[] = []
  for (const { key, cap } of wishes) {
    const mine = session.held.get(key) ?? new Set()
    const free = Array.from({ length: cap }, (_, number) => number).filter((one) => !mine.has(one))
    const number = free.length === 0 ? undefined : await lockOne(session, key, free)
    if (number === undefined) {
      await unlock(session, taken)
      return undefined
    }
    session.held.set(key, mine.add(number))
    taken.push([key, number])
  }
  return taken
}

/** The first that nobody has. */
async function lockOne(
  { client }: Session,
  key: string,
  numbers: readonly number[],
): Promise<number | undefined> {
  for (const number of numbers) {
    const { rows } = await client.query<{ got: boolean }>({
      name: 'try-slot',
      text: 'select pg_try_advisory_lock($1::integer, $2::integer) as got',
      values: [lockKey(key), number],
    })
    if (rows[0]?.got === true) return number
  }
  return undefined
}

async function unlock(
  { client, held }: Session,
  taken: readonly (readonly [string, number])[],
): Promise<void> {
  for (const [key, number] of taken) {
    await client.query({
      name: 'give-slot',
      text: 'select pg_advisory_unlock($1::integer, $2::integer)',
      values: [lockKey(key), number],
    })
    held.get(key)?.delete(number)
    if (held.get(key)?.size === 0) held.delete(key)
  }
}

/** Two keys with one number share their slots, which is one time in four billion and then only slower. */
function lockKey(key: string): number {
  return sha256(`record-linker slot ${key}`).readInt32BE(0)
}
