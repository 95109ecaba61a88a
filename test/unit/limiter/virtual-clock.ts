import type { BrokerClock } from '../../../src/limiter/broker-clock.ts'

interface Timer {
  readonly atMs: number
  readonly callback: () => void
}

/** Time that passes only when told to, and then as fast as it can. */
export class VirtualClock implements BrokerClock {
  #nowMs = 0
  #timers: Timer[] = []

  nowMs(): number {
    return this.#nowMs
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Never rejects; for callers that wait before they try again. */
  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.after(delayMs, resolve))
  }

  /** Runs every timer due in the next `ms`, in order, with everything that follows from each. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms
    for (;;) {
      await settled()
      const next = this.#timers.reduce<Timer | undefined>(
        (first, timer) => (first === undefined || timer.atMs < first.atMs ? timer : first),
        undefined,
      )
      if (next === undefined || next.atMs > untilMs) break
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.callback()
    }
    this.#nowMs = untilMs
  }
}

/** Lets every promise chain come to rest: those of a broker are shorter than this. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve()
}
