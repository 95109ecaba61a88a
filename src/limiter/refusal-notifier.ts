/** Tells a limiter at once that its server refused, but only what is news, and at most every 500 ms. */
import type { LeaseName } from './report-book.ts'
import type { RefusedNotice } from '../core/limiter/protocol.ts'

const GAP_MS = 500

/** The reports are added when it is sent. */
export type News = Omit<RefusedNotice, 'reports'>

interface Pending {
  readonly lease: LeaseName
  readonly retryAfterMs: number
  readonly atMs: number
}

export class RefusalNotifier {
  readonly #send: (notice: News) => void
  #pending: Pending | undefined
  #sentMs = -Infinity
  #told = { epoch: -1, retryAfterMs: -1 }

  constructor(send: (notice: News) => void) {
    this.#send = send
  }

  /** When `flush` has something to do; undefined when it has not. */
  get dueMs(): number | undefined {
    return this.#pending === undefined ? undefined : this.#sentMs + GAP_MS
  }

  add(lease: LeaseName, retryAfterMs: number | undefined, nowMs: number): void {
    const asked = retryAfterMs ?? 0
    const isNews = lease.epoch > this.#told.epoch || asked > this.#told.retryAfterMs
    if (!isNews) return
    this.#told = { epoch: Math.max(lease.epoch, this.#told.epoch), retryAfterMs: asked }
    const before = this.#pending
    this.#pending =
      before !== undefined && before.retryAfterMs > asked
        ? { ...before, lease: before.lease.epoch > lease.epoch ? before.lease : lease }
        : { lease, retryAfterMs: asked, atMs: nowMs }
    this.flush(nowMs)
  }

  flush(nowMs: number): void {
    const pending = this.#pending
    if (pending === undefined || nowMs < this.#sentMs + GAP_MS) return
    this.#pending = undefined
    this.#sentMs = nowMs
    this.#send({
      leaseId: pending.lease.id,
      epoch: pending.lease.epoch,
      agoMs: Math.round(nowMs - pending.atMs),
      retryAfterMs: pending.retryAfterMs > 0 ? pending.retryAfterMs : null,
    })
  }
}
