/**
 * The locks of one database session. A lock that is given back is kept a moment: mostly the next transfer of this process
 * wants the same. What is asked for at the same time is asked in one statement.
 */
import { Client, type QueryResultRow } from 'pg'
import { inBatches } from '../core/in-batches.ts'
import { sha256 } from './sha256.ts'

/** What is given back is unlocked after so long, ms. */
const KEPT_MS = 250
const MOST_AT_ONCE = 500

const TRY = `select pg_try_advisory_lock(wanted.key, wanted.number) as got
  from unnest($1::integer[], $2::integer[]) with ordinality as wanted (key, number, nth) order by nth`
const GIVE = `select pg_advisory_unlock(given.key, given.number)
  from unnest($1::integer[], $2::integer[]) as given (key, number)`

export interface Lock {
  readonly key: string
  readonly number: number
}

export interface SlotSession {
  /** One that is held and not in use, of numbers below the cap. */
  reuse(key: string, cap: number): Lock | undefined
  /** Locks one more number. @returns undefined: none is free */
  lock(key: string, cap: number): Promise<Lock | undefined>
  giveBack(lock: Lock): void
  unlock(locks: readonly Lock[]): Promise<void>
  close(): Promise<void>
}

/** @param onEnd the session broke, and its locks are gone */
export async function openSlotSession(
  databaseUrl: string,
  onEnd: () => void,
): Promise<SlotSession> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'record-linker slots',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  client.on('error', onEnd)
  client.on('end', onEnd)
  await client.connect()
  /** Numbers that this session has, or is about to have, and since when each is not in use, ms; null: it is. */
  const held = new Map<string, Map<number, number | null>>()
  let sweep: NodeJS.Timeout | undefined

  /** The session does one statement after the other. */
  let turn: Promise<unknown> = Promise.resolve()
  const ask = <Row extends QueryResultRow>(
    name: string,
    text: string,
    locks: readonly Lock[],
  ): Promise<readonly Row[]> => {
    const values = [locks.map(({ key }) => lockKey(key)), locks.map(({ number }) => number)]
    const mine = turn.then(async () => (await client.query<Row>({ name, text, values })).rows)
    turn = mine.catch(() => undefined)
    return mine
  }

  const numbersOf = (key: string): Map<number, number | null> => {
    const numbers = held.get(key) ?? new Map<number, number | null>()
    held.set(key, numbers)
    return numbers
  }
  const forget = ({ key, number }: Lock): void => {
    const numbers = held.get(key)
    numbers?.delete(number)
    if (numbers?.size === 0) held.delete(key)
  }
  const tryLock = inBatches<Lock, boolean>(async (locks) => {
    const rows = await ask<{ got: boolean }>('try-slots', TRY, locks)
    return rows.map(({ got }) => got)
  }, MOST_AT_ONCE)

  const unlock = async (locks: readonly Lock[]): Promise<void> => {
    for (const lock of locks) forget(lock)
    if (locks.length > 0) await ask('give-slots', GIVE, locks)
  }
  const sweepUp = (): void => {
    sweep = undefined
    const beforeMs = performance.now() - KEPT_MS
    const old: Lock[] = []
    let isLeft = false
    for (const [key, numbers] of held) {
      for (const [number, sinceMs] of numbers) {
        if (sinceMs === null) continue
        if (sinceMs <= beforeMs) old.push({ key, number })
        else isLeft = true
      }
    }
    if (isLeft) sweepSoon()
    unlock(old).catch(() => undefined) // A session that is gone holds nothing.
  }
  const sweepSoon = (): void => {
    sweep ??= setTimeout(sweepUp, KEPT_MS).unref()
  }

  return {
    reuse(key, cap) {
      const numbers = held.get(key)
      for (const [number, sinceMs] of numbers ?? []) {
        if (sinceMs === null || number >= cap) continue
        numbers?.set(number, null)
        return { key, number }
      }
      return undefined
    },
    async lock(key, cap) {
      for (let number = 0; number < cap; number++) {
        if (numbersOf(key).has(number)) continue
        // Others of this process choose another one meanwhile.
        numbersOf(key).set(number, null)
        const lock = { key, number }
        try {
          if (await tryLock(lock)) return lock
        } catch (error) {
          forget(lock)
          throw error
        }
        forget(lock)
      }
      if (held.get(key)?.size === 0) held.delete(key)
      return undefined
    },
    giveBack({ key, number }) {
      if (held.get(key)?.has(number) !== true) return
      numbersOf(key).set(number, performance.now())
      sweepSoon()
    },
    unlock,
    async close() {
      clearTimeout(sweep)
      await turn
      await client.end().catch(() => undefined)
    },
  }
}

/** Two keys with one number share their slots, which is one time in four billion and then only slower. */
function lockKey(key: string): number {
  return sha256(`record-linker slot ${key}`).readInt32BE(0)
}
