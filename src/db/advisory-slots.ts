/**
 * Slots that all workers share: advisory locks of one session per process, number 0 to cap - 1 of a key. A process that
 * dies loses its session, and with it its slots. A session that breaks loses them too, while what they stood for still
 * runs: until that has ended there may be more under way than the cap.
 */
import { RecordLinkerError } from '../errors.ts'
import { type Lock, openSlotSession, type SlotSession } from './slot-session.ts'

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

export function createSlots(databaseUrl: string): Slots {
  let session: Promise<SlotSession> | undefined
  const waiting = new Set<() => void>()

  const open = (): Promise<SlotSession> => {
    session ??= openSlotSession(databaseUrl, () => (session = undefined)).catch(
      (error: unknown) => {
        session = undefined
        throw error
      },
    )
    return session
  }

  return {
    async take(wishes, { signal, waitMs }) {
      const deadlineMs = performance.now() + waitMs
      for (;;) {
        signal.throwIfAborted()
        const current = await open()
        const taken = await takeAll(current, wishes)
        if (taken !== undefined) {
          let isGiven = false
          return () => {
            if (isGiven) return
            isGiven = true
            for (const lock of taken) current.giveBack(lock)
            for (const wake of waiting) wake()
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
      await session?.then((open) => open.close()).catch(() => undefined)
    },
  }
}

/** Those that had to be locked for it are unlocked at once where another is not free: a half is of use to nobody. */
async function takeAll(
  session: SlotSession,
  wishes: readonly SlotWish[],
): Promise<readonly Lock[] | undefined> {
  const reused: Lock[] = []
  const locked: Lock[] = []
  const goBack = async (): Promise<void> => {
    for (const lock of reused) session.giveBack(lock)
    await session.unlock(locked)
  }
  try {
    for (const { key, cap } of wishes) {
      const known = session.reuse(key, cap)
      if (known !== undefined) {
        reused.push(known)
        continue
      }
      const lock = await session.lock(key, cap)
      if (lock === undefined) {
        await goBack()
        return undefined
      }
      locked.push(lock)
    }
    return [...reused, ...locked]
  } catch (error) {
    await goBack().catch(() => undefined)
    throw error
  }
}
