/** What the limiter (or the server itself) last said to this process, and how long it holds. */
import type { LeaseGrant, LeaseRefusal } from '../core/limiter/protocol.ts'
import type { DomainStatus } from './domain-status.ts'

export class LimiterWord {
  /** Requests on their way at once; one before anything was said. */
  inFlightCap = 1
  /** Permits per second of the last lease; 0 before the first. */
  rate = 0
  /** For when the limiter is silent; undefined before it named one. */
  safeRate: number | undefined
  /** Of the last lease. */
  epoch = 0
  askNotBeforeMs = -Infinity
  renewAtMs = -Infinity
  /** Leases the limiter may still count as ours, spent or not. */
  #leases: readonly { readonly id: string; readonly untilMs: number }[] = []
  #hold: { readonly reason: DomainStatus['hold']; readonly untilMs: number } | undefined

  granted(grant: LeaseGrant, sentMs: number, nowMs: number): void {
    // A limiter that grants has lifted what it said before (a probe of a broken server); what the server itself asked for stays.
    if (this.#hold?.reason !== 'retry_after') this.#hold = undefined
    this.inFlightCap = grant.inFlightCap
    this.rate = 1000 / grant.spacingMs
    this.safeRate = grant.safeRate
    this.epoch = grant.epoch
    this.askNotBeforeMs = -Infinity
    this.renewAtMs = sentMs + grant.renewAfterMs
    this.#leases = [...this.#leases, { id: grant.leaseId, untilMs: nowMs + grant.ttlMs }]
  }

  refused(refusal: LeaseRefusal, nowMs: number): void {
    if (refusal.safeRate > 0 && this.safeRate !== undefined) this.safeRate = refusal.safeRate
    this.askNotBeforeMs = nowMs + refusal.askAgainMs
    if (!refusal.revoked) return
    // Stopped on purpose: should the limiter fall silent now, nobody goes on without it.
    if (refusal.reason === 'paused' || refusal.reason === 'breaker_open') this.safeRate = undefined
    this.#leases = []
    this.hold(refusal.reason, this.askNotBeforeMs)
  }

  /** Something happened that the limiter has to know before anything else. */
  askAtOnce(nowMs: number): void {
    this.askNotBeforeMs = nowMs + this.heldForMs(nowMs)
  }

  leaseIds(nowMs: number): readonly string[] {
    this.#leases = this.#leases.filter(({ untilMs }) => untilMs > nowMs)
    return this.#leases.map(({ id }) => id)
  }

  released(leaseIds: readonly string[]): void {
    this.#leases = this.#leases.filter(({ id }) => !leaseIds.includes(id))
  }

  /** Nothing is sent until then, whatever else is said. */
  hold(reason: DomainStatus['hold'], untilMs: number): void {
    if (untilMs > (this.#hold?.untilMs ?? -Infinity)) this.#hold = { reason, untilMs }
    this.askNotBeforeMs = Math.max(this.askNotBeforeMs, untilMs)
  }

  /** How much longer nothing may be sent; 0 when something may. */
  heldForMs(nowMs: number): number {
    return Math.max(0, (this.#hold?.untilMs ?? nowMs) - nowMs)
  }

  holdReason(nowMs: number): DomainStatus['hold'] {
    return this.heldForMs(nowMs) > 0 ? (this.#hold?.reason ?? null) : null
  }
}
