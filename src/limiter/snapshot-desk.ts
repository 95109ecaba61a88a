/** Which of a limiter's answers are to bring its snapshot, and where that goes: `limits` shows the last one. */
import type { DomainSnapshot } from '../core/limiter/protocol.ts'

/** Resolves when it is stored; never rejects. */
export type KeepSnapshot = (snapshot: DomainSnapshot) => Promise<void>

const EVERY_MS = 5_000

export class SnapshotDesk {
  readonly #keep: KeepSnapshot | undefined
  /** Requests that have ended, and how many of them the last snapshot knew of. */
  #ended = 0
  #shown = 0
  #lastMs = -Infinity
  #kept: Promise<void> = Promise.resolve()

  constructor(keep: KeepSnapshot | undefined) {
    this.#keep = keep
  }

  /** Resolves when the last snapshot is stored. */
  get kept(): Promise<void> {
    return this.#kept
  }

  /** The last snapshot does not know of every request that has ended. */
  get isBehind(): boolean {
    return this.#keep !== undefined && this.#shown < this.#ended
  }

  /** What the next snapshot will know of. */
  get ended(): number {
    return this.#ended
  }

  requestEnded(): void {
    this.#ended += 1
  }

  /** People want to see at once what has just happened. */
  isNews(): void {
    this.#lastMs = -Infinity
  }

  isDue(nowMs: number): boolean {
    return this.#keep !== undefined && nowMs - this.#lastMs >= EVERY_MS
  }

  /** @param ended As it was when the snapshot was asked for. */
  took(snapshot: DomainSnapshot | undefined, ended: number, nowMs: number): void {
    if (snapshot === undefined || this.#keep === undefined) return
    this.#shown = ended
    this.#lastMs = nowMs
    this.#kept = this.#keep(snapshot)
  }
}
