import type { BrokerClock } from './broker-clock.ts'

/** One timer that is always set to the next moment something has to be done. */
export class Alarm {
  readonly #clock: BrokerClock
  readonly #ring: () => void
  #cancel: (() => void) | undefined

  constructor(clock: BrokerClock, ring: () => void) {
    this.#clock = clock
    this.#ring = ring
  }

  /** Replaces what was set; undefined moments do not count, and without any nothing rings. */
  set(moments: readonly (number | undefined)[], nowMs: number): void {
    this.off()
    const nextMs = Math.min(...moments.map((moment) => moment ?? Infinity))
    if (!Number.isFinite(nextMs)) return
    this.#cancel = this.#clock.after(Math.max(1, Math.ceil(nextMs - nowMs)), this.#ring)
  }

  off(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
