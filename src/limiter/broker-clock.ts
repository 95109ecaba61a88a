/** Time as a broker sees it; tests put their own in its place. */

export interface BrokerClock {
  /** Monotonic; only differences mean something. */
  nowMs(): number
  /** Calls back once. @returns Cancels it. */
  after(delayMs: number, callback: () => void): () => void
}

/** A longer timer of Node fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: BrokerClock = {
  nowMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS))
    return () => clearTimeout(timer)
  },
}
