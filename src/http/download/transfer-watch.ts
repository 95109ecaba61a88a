/**
 * What ends a transfer from outside: the caller, the closing of the fetcher, the time it may take, and a body that stands
 * still or drips. Waiting for permits and slots takes none of its time. An abort closes the socket at once.
 */
import {
  countBytes,
  judgePace,
  startPace,
  type Pace,
  type PaceLimits,
} from '../../core/download/body-pace.ts'
import type { Clocks } from '../exchange.ts'

export type WatchFault = 'total-timeout' | 'stalled' | 'too-slow'

/** A look that comes so much too late was one of a process that did not run, ms. */
const SUSPENDED_MS = 5_000

export class TransferWatch {
  readonly #clocks: Clocks
  readonly #limits: PaceLimits
  readonly #sources: readonly AbortSignal[]
  readonly #controller = new AbortController()
  readonly #onAbort = (): void => this.#controller.abort()
  #leftMs: number
  #fault: WatchFault | null = null

  constructor(
    sources: readonly AbortSignal[],
    limits: PaceLimits & { readonly totalMs: number },
    clocks: Clocks,
  ) {
    this.#sources = sources
    this.#limits = limits
    this.#leftMs = limits.totalMs
    this.#clocks = clocks
    for (const source of sources) {
      if (source.aborted) this.#controller.abort()
      source.addEventListener('abort', this.#onAbort, { once: true })
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Why it ended here; null: it did not, or the caller ended it. */
  get fault(): WatchFault | null {
    return this.#fault
  }

  /** Throws the reason of the caller or of the closing, if it was one of them. */
  throwIfCancelled(): void {
    for (const source of this.#sources) source.throwIfAborted()
  }

  /** Work that takes of the time. */
  async timed<T>(work: () => Promise<T>): Promise<T> {
    const fromMs = this.#clocks.monotonicMs()
    const timer = setTimeout(() => this.#end('total-timeout'), Math.max(this.#leftMs, 0))
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      this.#leftMs -= this.#clocks.monotonicMs() - fromMs
    }
  }

  /** Watches the pace of a body until `stop`; `count` is to be told of what came and was written. */
  watchBody(): { count(bytes: number): void; stop(): void } {
    const { idleMs, windowMs } = this.#limits
    const everyMs = Math.max(10, Math.min(1_000, idleMs / 4, windowMs / 4))
    let pace: Pace = startPace(this.#clocks.monotonicMs())
    let lookedMs = pace.windowFromMs
    const timer = setInterval(() => {
      const nowMs = this.#clocks.monotonicMs()
      const wasAway = nowMs - lookedMs > everyMs + SUSPENDED_MS
      lookedMs = nowMs
      if (wasAway) {
        pace = startPace(nowMs)
        return
      }
      const judged = judgePace(pace, nowMs, this.#limits)
      pace = judged.pace
      if (judged.fault !== null) this.#end(judged.fault)
    }, everyMs)
    return {
      count: (bytes) => {
        pace = countBytes(pace, bytes, this.#clocks.monotonicMs())
      },
      stop: () => clearInterval(timer),
    }
  }

  /** Lets go of the sources. */
  release(): void {
    for (const source of this.#sources) source.removeEventListener('abort', this.#onAbort)
  }

  #end(fault: WatchFault): void {
    if (this.#controller.signal.aborted) return
    this.#fault = fault
    this.#controller.abort()
  }
}
