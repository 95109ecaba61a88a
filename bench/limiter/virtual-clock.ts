/** Time that passes only when told to, and then as fast as it can: a heap of timers. */
import type { BrokerClock } from '../../src/limiter/broker-clock.ts'

interface Timer {
  readonly atMs: number
  /** Timers of the same instant run in the order in which they were set. */
  readonly number: number
  readonly callback: () => void
  isOff: boolean
}

/** So many timers run before other work of this process (Ctrl-C, messages) gets its turn. */
const TIMERS_PER_TURN = 20_000

export class VirtualClock implements BrokerClock {
  readonly #heap: Timer[] = []
  #nowMs = 0
  #timers = 0

  nowMs(): number {
    return this.#nowMs
  }

  after(delayMs: number, callback: () => void): () => void {
    this.#timers += 1
    const atMs = this.#nowMs + Math.max(0, delayMs)
    const timer: Timer = { atMs, number: this.#timers, callback, isOff: false }
    this.#push(timer)
    return () => {
      timer.isOff = true
    }
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.after(delayMs, resolve))
  }

  /** Runs every timer due until then, in order, each with everything that follows from it. */
  runUntil(untilMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let ran = 0
      // Node runs all promise jobs, and theirs, before the next tick: each timer finds the world at rest.
      const rest = (): void => process.nextTick(turn)
      const turn = (): void => {
        const timer = this.#next(untilMs)
        if (timer === undefined) {
          this.#nowMs = untilMs
          resolve()
          return
        }
        this.#nowMs = timer.atMs
        try {
          timer.callback()
        } catch (error) {
          reject(error)
          return
        }
        ran += 1
        if (ran % TIMERS_PER_TURN === 0) setImmediate(turn)
        else queueMicrotask(rest)
      }
      queueMicrotask(rest)
    })
  }

  #next(untilMs: number): Timer | undefined {
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined || (!first.isOff && first.atMs > untilMs)) return undefined
      this.#pop()
      if (!first.isOff) return first
    }
  }

  #push(timer: Timer): void {
    const heap = this.#heap
    let place = heap.length
    heap.push(timer)
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || isBefore(parent, timer)) break
      heap[place] = parent
      place = above
    }
    heap[place] = timer
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let place = 0
    for (;;) {
      let below = 2 * place + 1
      let child = heap[below]
      const right = heap[below + 1]
      if (child === undefined) break
      if (right !== undefined && isBefore(right, child)) {
        below += 1
        child = right
      }
      if (isBefore(last, child)) break
      heap[place] = child
      place = below
    }
    heap[place] = last
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number)
}

/** The clock of another machine: as fast, but it stands elsewhere. */
export function shiftedClock(clock: BrokerClock, shiftMs: number): BrokerClock {
  return {
    nowMs: () => clock.nowMs() + shiftMs,
    after: (ms, callback) => clock.after(ms, callback),
  }
}
