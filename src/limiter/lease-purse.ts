/** The leases a process holds of one domain, spent one after the other. */
import { aheadInLine } from '../core/limiter/ahead-in-line.ts'
import {
  duesOf,
  holdLease,
  leaseEndMs,
  loseMissed,
  nextPermitMs,
  permitsLeft,
  putBack,
  takePermit,
  unspent,
  type HeldLease,
} from '../core/limiter/held-lease.ts'
import type { LeaseGrant } from '../core/limiter/protocol.ts'
import { claimKey, nextInLine, type Claimant } from '../core/limiter/waiting-line.ts'
import type { LeaseName, ReportBook } from './report-book.ts'

/** No limiter names its leases so; such a lease was granted by nobody and its permits go back to nobody. */
const SAFE_PREFIX = '~safe-'
const SAFE_LEASE_MS = 2_000

export interface TakenPermit {
  readonly lease: LeaseName
  /** Of the caller who gets it. */
  readonly index: number
  /** What it owes to projects. */
  readonly dues: Readonly<Record<string, number>>
}

export class LeasePurse {
  readonly #book: ReportBook
  #leases: readonly HeldLease[] = []
  /** Where the permits of the last lease end: those of the next never mix with them. */
  #endMs = -Infinity
  /** The same of leases on our own authority; a limiter that is back does not wait for them. */
  #safeEndMs = -Infinity
  #safeLeases = 0
  /** When the limiter is to be asked although permits are left (`look-out.ts`); Infinity for no such time. */
  #lookOutMs = Infinity

  constructor(book: ReportBook) {
    this.#book = book
  }

  add(grant: LeaseGrant, sentMs: number, nowMs: number): void {
    const lease = holdLease(grant, sentMs, nowMs, this.#endMs)
    this.#leases = [...this.#leases, lease]
    this.#endMs = Math.min(leaseEndMs(lease), lease.expiresMs)
    if (grant.lookOutMs !== undefined) this.#lookOutMs = nowMs + grant.lookOutMs
  }

  get lookOutMs(): number {
    return this.#lookOutMs
  }

  /** The limiter has answered a message sent then. */
  heard(sentMs: number): void {
    if (sentMs >= this.#lookOutMs) this.#lookOutMs = Infinity
  }

  /** A short lease on our own authority, when the limiter is silent. */
  addSafe(rate: number, epoch: number, nowMs: number): void {
    this.#safeLeases += 1
    const spacingMs = 1000 / rate
    const permits = Math.max(1, Math.floor(SAFE_LEASE_MS / spacingMs))
    const startMs = Math.max(nowMs, this.#endMs, this.#safeEndMs)
    const expiresMs = startMs + permits * spacingMs
    this.#safeEndMs = expiresMs
    const safe: HeldLease = {
      id: `${SAFE_PREFIX}${this.#safeLeases}`,
      epoch,
      permits,
      shares: [],
      used: {},
      startMs,
      spacingMs,
      expiresMs,
      next: 0,
      returned: 0,
    }
    this.#leases = [...this.#leases, safe]
  }

  /** @returns Permits whose time has passed unused. */
  settle(nowMs: number): number {
    let lost = 0
    this.#leases = this.#leases.flatMap((held) => {
      const missed = loseMissed(held, nowMs)
      lost += missed.lost
      this.#unused(held, missed.lost)
      if (permitsLeft(missed.lease, nowMs) > 0) return [missed.lease]
      this.#unused(held, unspent(missed.lease))
      return []
    })
    return lost
  }

  left(nowMs: number): number {
    return this.#leases.reduce((sum, lease) => sum + permitsLeft(lease, nowMs), 0)
  }

  /** When the next permit may be used; undefined without one. */
  nextMs(nowMs: number): number | undefined {
    const [first] = this.#leases
    return first === undefined ? undefined : nextPermitMs(first, nowMs)
  }

  /** Takes a permit that is due for one of the callers in line; undefined when none is. */
  take(line: readonly Claimant[], nowMs: number): TakenPermit | undefined {
    const [first, ...others] = this.#leases
    const dueMs = this.nextMs(nowMs)
    if (first === undefined || dueMs === undefined || dueMs > nowMs) return undefined
    const index = nextInLine(line, first)
    const claimant = line[index]
    if (claimant === undefined) return undefined
    const key = claimKey(claimant)
    this.#leases = [takePermit(first, key), ...others]
    return { lease: { id: first.id, epoch: first.epoch }, index, dues: duesOf(first, key) }
  }

  /** How many of the line get a permit before a newcomer would. */
  ahead(line: readonly Claimant[], newcomer: Claimant): number {
    const [first] = this.#leases
    return first === undefined ? line.length : aheadInLine(line, newcomer, first)
  }

  giveBack(lease: LeaseName, claimant: Claimant): void {
    const held = this.#leases.find(({ id }) => id === lease.id)
    const filled = held === undefined ? undefined : putBack(held, claimKey(claimant))
    if (filled === undefined) {
      if (!isSafe(lease)) this.#book.unused(lease, 1)
    } else this.#leases = this.#leases.map((other) => (other === held ? filled : other))
  }

  /** Stops spending what is held. */
  drop(nowMs: number): void {
    for (const lease of this.#leases) this.#unused(lease, unspent(lease))
    this.#leases = []
    this.#endMs = Math.min(this.#endMs, nowMs)
  }

  /** A limiter has spoken again. */
  dropSafe(): void {
    this.#leases = this.#leases.filter((lease) => !isSafe(lease))
  }

  #unused(lease: HeldLease, permits: number): void {
    if (!isSafe(lease)) this.#book.unused(lease, permits)
  }
}

function isSafe(lease: LeaseName): boolean {
  return lease.id.startsWith(SAFE_PREFIX)
}
