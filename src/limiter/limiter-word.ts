/**
 * What the limiter (or the server itself) last said to this process, and how long it holds.
 *
 *   OPEN ── refused, everything revoked ──▶ HELD until the limiter's time ── granted, time over ──▶ OPEN
 *     └──── the server named a wait ──────▶ HELD until that ── time over, lifted ──────────────────▶ OPEN
 *
 * A wait the server named is lifted before its end only by a limiter that knows of it: one whose answer to a
 * later message grants all the same (an operator has ended the wait), or names another end (a policy cuts it).
 * A limiter that has lost its memory cannot lift it. Long waits are looked at again now and then for that.
 */
import { limiterOf } from '../core/limiter/lease-id.ts'
import type { LeaseGrant, LeaseRefusal } from '../core/limiter/protocol.ts'
import { longestObeyedMs } from '../core/retry-after.ts'
import { lookAgainMs } from '../core/wait-delay.ts'
import type { DomainStatus } from './domain-status.ts'

interface Hold {
  readonly reason: DomainStatus['hold']
  readonly untilMs: number
  /** The server said it to this process: when, and what its limiter was called. */
  readonly heard?: { readonly atMs: number; readonly limiter: string }
}

export class LimiterWord {
  /** Requests on their way at once; one before anything was said. */
  inFlightCap = 1
  /** Permits per second of the last lease; 0 before the first. */
  rate = 0
  /** For when the limiter is silent; undefined before it named one. */
  safeRate: number | undefined
  /** Requests on their way at once while the limiter is silent. */
  safeInFlight = 1
  /** Of the last lease. */
  epoch = 0
  askNotBeforeMs = -Infinity
  renewAtMs = -Infinity
  /** Leases the limiter may still count as ours, spent or not. */
  #leases: readonly { readonly id: string; readonly untilMs: number }[] = []
  #refusedEpoch = -1
  #limiter = ''
  /** The limiter grants, since it does not know what the server said to us. */
  #isIgnorant = false
  #retryAfterCapMs = longestObeyedMs
  #hold: Hold | undefined

  granted(grant: LeaseGrant, sentMs: number, nowMs: number): void {
    const limiter = limiterOf(grant.leaseId)
    // Each counts its own epochs.
    if (limiter !== this.#limiter) this.#refusedEpoch = -1
    this.#limiter = limiter
    if (this.#isKnown(limiter, sentMs)) this.#hold = undefined
    this.inFlightCap = grant.inFlightCap
    this.rate = 1000 / grant.spacingMs
    this.safeRate = grant.safeRate
    this.safeInFlight = grant.safeInFlight ?? 1
    this.epoch = grant.epoch
    this.#retryAfterCapMs = grant.retryAfterCapMs ?? longestObeyedMs
    this.#isIgnorant = this.#hold !== undefined && sentMs > (this.#hold.heard?.atMs ?? Infinity)
    this.askNotBeforeMs = this.#hold === undefined ? -Infinity : this.#lookAtMs(this.#hold, nowMs)
    this.renewAtMs = sentMs + grant.renewAfterMs
    this.#leases = [...this.#leases, { id: grant.leaseId, untilMs: nowMs + grant.ttlMs }]
  }

  refused(refusal: LeaseRefusal, sentMs: number, nowMs: number): void {
    if (refusal.safeRate > 0 && this.safeRate !== undefined) this.safeRate = refusal.safeRate
    this.safeInFlight = refusal.safeInFlight ?? this.safeInFlight
    const untilMs = nowMs + refusal.askAgainMs
    // Asked for nothing since that would be in vain, it has nothing to say about when that ends.
    this.askNotBeforeMs = this.isVain(nowMs) ? Math.max(this.askNotBeforeMs, untilMs) : untilMs
    if (!refusal.revoked) return
    // Stopped on purpose: should the limiter fall silent now, nobody goes on without it.
    if (refusal.reason === 'paused' || refusal.reason === 'breaker_open') this.safeRate = undefined
    this.#leases = []
    const heard = this.#hold?.heard
    const isAnswer = refusal.reason === 'retry_after' && heard !== undefined && sentMs > heard.atMs
    if (isAnswer) this.#holdFor({ reason: 'retry_after', untilMs, heard }, nowMs)
    else this.#lengthen({ reason: refusal.reason, untilMs }, nowMs)
  }

  /**
   * The server refused a request.
   * @param epoch Of its lease.
   * @param waitMs What the server asked for, 0 for nothing; more than the policy's cap is obeyed piece by piece.
   * @returns false for old news: the limiter has known of it when it granted the last lease.
   */
  serverRefused(epoch: number, waitMs: number, nowMs: number): boolean {
    if (epoch < this.epoch && waitMs === 0) return false
    this.#refusedEpoch = Math.max(this.#refusedEpoch, epoch)
    if (waitMs > 0) {
      const heard = { atMs: nowMs, limiter: this.#limiter }
      const untilMs = nowMs + Math.min(waitMs, this.#retryAfterCapMs)
      this.#lengthen({ reason: 'retry_after', untilMs, heard }, nowMs)
    } else {
      // Before anything else the limiter has to know.
      this.askNotBeforeMs = nowMs + this.sureForMs(nowMs)
    }
    return true
  }

  /** Leases of this epoch and before are not to be spent: the server refused one of it. */
  isVoid(epoch: number): boolean {
    return epoch <= this.#refusedEpoch
  }

  leaseIds(nowMs: number): readonly string[] {
    this.#leases = this.#leases.filter(({ untilMs }) => untilMs > nowMs)
    return this.#leases.map(({ id }) => id)
  }

  released(leaseIds: readonly string[]): void {
    this.#leases = this.#leases.filter(({ id }) => !leaseIds.includes(id))
  }

  /** How much longer nothing may be sent; 0 when something may. */
  heldForMs(nowMs: number): number {
    return Math.max(0, (this.#hold?.untilMs ?? nowMs) - nowMs)
  }

  /** Whether a lease would be granted and could not be used, however often it is asked for. */
  isVain(nowMs: number): boolean {
    return this.#isIgnorant && this.sureForMs(nowMs) > 0
  }

  /** How much longer nothing can change that; then the limiter may be asked. */
  sureForMs(nowMs: number): number {
    return Math.min(this.heldForMs(nowMs), Math.max(0, this.askNotBeforeMs - nowMs))
  }

  holdReason(nowMs: number): DomainStatus['hold'] {
    return this.heldForMs(nowMs) > 0 ? (this.#hold?.reason ?? null) : null
  }

  /** Whether a limiter's answer to a message of then already considers what the server said to us. */
  #isKnown(limiter: string, sentMs: number): boolean {
    const heard = this.#hold?.heard
    return heard === undefined || (sentMs > heard.atMs && limiter === heard.limiter)
  }

  #lengthen(hold: Hold, nowMs: number): void {
    const before = this.heldForMs(nowMs) > 0 ? this.#hold : undefined
    if (before === undefined) this.#holdFor(hold, nowMs)
    else if (before.untilMs >= hold.untilMs) this.#holdFor(before, nowMs)
    else this.#holdFor({ ...before, ...hold }, nowMs)
  }

  #holdFor(hold: Hold, nowMs: number): void {
    this.#hold = hold
    this.askNotBeforeMs = this.#lookAtMs(hold, nowMs)
  }

  #lookAtMs({ untilMs }: Hold, nowMs: number): number {
    return Math.min(untilMs, nowMs + lookAgainMs)
  }
}
