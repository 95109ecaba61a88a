/**
 * The retry quota of one domain, as one process keeps it (`retry-quota.ts`).
 *
 *   a try fails ── quota pays ──▶ back-off ────────────────▶ a repeat ── succeeds ──▶ its cost comes back
 *        └──────── empty ───────▶ back-off, and one more ──▶ as a first try ── succeeds ──▶ 1 comes back
 *
 * Who repeats what is not known here, only that a repeat was paid for and that one has ended; so each repeat that
 * ends settles the oldest one that was paid for.
 */
import type { CallOutcome } from '../core/limiter/permit.ts'
import { fullQuota, repay, takeRetry } from '../core/limiter/retry-quota.ts'

/** Paid for, and never heard of: sent by another process, or its run was cancelled. */
const MOST_OWED = 100

export class RetryAllowance {
  #quota = fullQuota
  /** What the repeats cost that were paid for and have not ended, the oldest first. */
  #owed: readonly number[] = []

  get quota(): number {
    return this.#quota
  }

  /** A try has failed because its server was in trouble. @returns Whether its repeat was paid for. */
  take(): boolean {
    const { quota, allowed, cost } = takeRetry(this.#quota, 'transient')
    this.#quota = quota
    if (allowed) this.#owed = [...this.#owed, cost].slice(-MOST_OWED)
    return allowed
  }

  /** A request has ended; one that was refused or stopped will be sent again at no cost. */
  ended(isRetry: boolean, kind: CallOutcome['kind']): void {
    if (kind === 'throttled' || kind === 'cancelled') return
    const cost = isRetry ? this.#owed[0] : undefined
    if (isRetry) this.#owed = this.#owed.slice(1)
    if (kind === 'ok') this.#quota = repay(this.#quota, cost)
  }
}
