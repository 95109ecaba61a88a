/**
 * Says of activities that they live, so that a cancellation reaches them and a dead worker is noticed. Each word costs the
 * server a write, as much as a statement of ours. So of many in one process only a few speak each second, in turn; as soon
 * as one of them hears that it is cancelled, all ask, for most often it is their run that is cancelled.
 */
import { Context } from '@temporalio/activity'

const BEAT_MS = 1_000
/** So many speak every second, whatever the others do. */
const BEATS_PER_S = 6
/**
 * Nobody is silent for longer, but for what blocks the process: the server holds a worker for dead after 10 s, and a block
 * of some seconds must not look like that.
 */
const LONGEST_SILENCE_MS = 3_000
/** A tick that comes so late had to wait for a blocked process; another block may follow. */
const LATE_TICK_MS = 1_500

interface Living {
  readonly context: Context
  spokeAtMs: number
}

const living = new Set<Living>()
let clock: NodeJS.Timeout | undefined
let lastTickMs = 0

/** Most bodies are over within a second, and say nothing. */
export async function withHeartbeat<T>(body: () => Promise<T>): Promise<T> {
  const context = Context.current()
  const one: Living = { context, spokeAtMs: performance.now() }
  context.cancellationSignal.addEventListener('abort', letAllAsk, { once: true })
  living.add(one)
  startClock()
  try {
    return await body()
  } finally {
    context.cancellationSignal.removeEventListener('abort', letAllAsk)
    living.delete(one)
    if (living.size === 0) stopClock()
  }
}

function startClock(): void {
  if (clock !== undefined) return
  lastTickMs = performance.now()
  clock = setInterval(beatInTurn, BEAT_MS)
}

function stopClock(): void {
  clearInterval(clock)
  clock = undefined
}

function beatInTurn(): void {
  const nowMs = performance.now()
  const isLate = nowMs - lastTickMs > LATE_TICK_MS
  lastTickMs = nowMs
  const inTurn = [...living].toSorted((a, b) => a.spokeAtMs - b.spokeAtMs)
  for (const [place, one] of inTurn.entries()) {
    // By the next tick it would be silent for too long.
    const isDue = nowMs + BEAT_MS - one.spokeAtMs > LONGEST_SILENCE_MS
    if (place < BEATS_PER_S || isDue || isLate) speak(one, nowMs)
  }
}

function letAllAsk(): void {
  const nowMs = performance.now()
  for (const one of living) if (!one.context.cancellationSignal.aborted) speak(one, nowMs)
}

function speak(one: Living, nowMs: number): void {
  one.spokeAtMs = nowMs
  one.context.heartbeat()
}
