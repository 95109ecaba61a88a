/**
 * Says of activities that they live, so that a cancellation reaches them and a dead worker is noticed. Each word costs the
 * server a write, as much as a statement of ours. So of many in one process only a few speak each second, in turn; as soon
 * as one of them hears that it is cancelled, all ask, for most often it is their run that is cancelled.
 */
import { Context } from '@temporalio/activity'

const BEAT_MS = 1000
/** So many speak every second, whatever the others do. */
const BEATS_PER_S = 6
/** Nobody is silent for longer, s; far below the 10 s after which the server holds a worker for dead. */
const LONGEST_SILENCE_S = 4

interface Living {
  readonly beat: () => void
  /** Seconds since it spoke last. */
  silentForS: number
}

const living = new Set<Living>()
let clock: NodeJS.Timeout | undefined

/** Most bodies are over within a second, and say nothing. */
export async function withHeartbeat<T>(body: () => Promise<T>): Promise<T> {
  const context = Context.current()
  const one: Living = { beat: () => context.heartbeat(), silentForS: 0 }
  const hear = (): void => others(one)
  context.cancellationSignal.addEventListener('abort', hear, { once: true })
  living.add(one)
  clock ??= setInterval(beatInTurn, BEAT_MS)
  try {
    return await body()
  } finally {
    context.cancellationSignal.removeEventListener('abort', hear)
    living.delete(one)
    if (living.size === 0) {
      clearInterval(clock)
      clock = undefined
    }
  }
}

function beatInTurn(): void {
  for (const one of living) one.silentForS += 1
  const inTurn = [...living].toSorted((a, b) => b.silentForS - a.silentForS)
  for (const [place, one] of inTurn.entries()) {
    if (place < BEATS_PER_S || one.silentForS >= LONGEST_SILENCE_S) speak(one)
  }
}

function others(than: Living): void {
  for (const one of living) if (one !== than) speak(one)
}

function speak(one: Living): void {
  one.silentForS = 0
  one.beat()
}
