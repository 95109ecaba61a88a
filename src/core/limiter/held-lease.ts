/**
 * A lease in the hands of a broker: when its permits may be used.
 *
 * Permit i may be used from startMs + i × spacingMs on. Instants nobody came for are lost, except the
 * last quarter of a second of them (at least one): caught up they would be a burst. All instants are
 * of the broker's monotonic clock.
 */
import type { LeaseGrant } from './protocol.ts'
import { claimKey } from './waiting-line.ts'

export interface HeldLease {
  readonly id: string
  readonly epoch: number
  readonly permits: number
  /** By `claimKey`. */
  readonly shares: readonly { readonly key: string; readonly permits: number }[]
  /** Permits used so far, by the same. */
  readonly used: Readonly<Record<string, number>>
  readonly startMs: number
  readonly spacingMs: number
  /** No permit may be used at or after it. */
  readonly expiresMs: number
  /** First permit neither used nor lost. */
  readonly next: number
  /** Permits taken and handed back at once; they may be used again without waiting. */
  readonly returned: number
}

const CATCH_UP_MS = 250

/**
 * Starts counting when the reply came and ends counting from when the request was sent: a slow message
 * makes a lease shorter at both ends, so it never runs into the next one.
 * @param sentMs When the request was first sent.
 * @param receivedMs When the reply came.
 * @param notBeforeMs Where the permits of the lease before it end; they are never interleaved.
 */
export function holdLease(
  grant: LeaseGrant,
  sentMs: number,
  receivedMs: number,
  notBeforeMs: number,
): HeldLease {
  return {
    id: grant.leaseId,
    epoch: grant.epoch,
    permits: grant.permits,
    shares: grant.shares.map(({ project, priority = 'normal', permits }) => ({
      key: claimKey({ project, priority }),
      permits,
    })),
    used: {},
    startMs: Math.max(receivedMs + grant.firstDelayMs, notBeforeMs),
    spacingMs: grant.spacingMs,
    expiresMs: sentMs + grant.ttlMs,
    next: 0,
    returned: 0,
  }
}

/** Where the lease's permits end: one spacing after the last. */
export function leaseEndMs(lease: HeldLease): number {
  return lease.startMs + lease.permits * lease.spacingMs
}

/** When its next permit may be used; undefined when none will be any more. */
export function nextPermitMs(lease: HeldLease, nowMs: number): number | undefined {
  if (nowMs >= lease.expiresMs) return undefined
  if (lease.returned > 0) return nowMs
  if (lease.next >= lease.permits) return undefined
  const atMs = Math.max(nowMs, lease.startMs + lease.next * lease.spacingMs)
  return atMs < lease.expiresMs ? atMs : undefined
}

/** Permits that may still be used, now or later. */
export function permitsLeft(lease: HeldLease, nowMs: number): number {
  if (nowMs >= lease.expiresMs) return 0
  const inTime = Math.ceil((lease.expiresMs - lease.startMs) / lease.spacingMs)
  return lease.returned + Math.max(0, Math.min(lease.permits, inTime) - lease.next)
}

/** Gives up instants that have passed unused; `lost` of them will never be. */
export function loseMissed(
  lease: HeldLease,
  nowMs: number,
): { readonly lease: HeldLease; readonly lost: number } {
  const due = Math.min(lease.permits, Math.floor((nowMs - lease.startMs) / lease.spacingMs) + 1)
  const next = Math.max(lease.next, due - catchUp(lease))
  return { lease: next === lease.next ? lease : { ...lease, next }, lost: next - lease.next }
}

/** Takes the permit that `nextPermitMs` said may be used now. */
export function takePermit(lease: HeldLease, key: string): HeldLease {
  const used = { ...lease.used, [key]: (lease.used[key] ?? 0) + 1 }
  return lease.returned > 0
    ? { ...lease, used, returned: lease.returned - 1 }
    : { ...lease, used, next: lease.next + 1 }
}

/** A permit comes back unsent. Undefined when it would make a burst: then it goes back to the limiter. */
export function putBack(lease: HeldLease, key: string): HeldLease | undefined {
  if (lease.returned >= catchUp(lease)) return undefined
  const used = { ...lease.used, [key]: Math.max(0, (lease.used[key] ?? 0) - 1) }
  return { ...lease, used, returned: lease.returned + 1 }
}

/** Permits of the lease that were neither used nor lost yet. */
export function unspent(lease: HeldLease): number {
  return lease.permits - lease.next + lease.returned
}

/**
 * What using one permit of the lease owes to projects: each its part of it, less the permit for whoever
 * got it. Adds up to 0; empty when nobody else has a share.
 */
export function duesOf(
  { shares, permits }: HeldLease,
  key: string,
): Readonly<Record<string, number>> {
  if (shares.every((share) => share.key === key)) return {}
  const parts = shares.map((share): [string, number] => [share.key, share.permits / permits])
  const dues = new Map(parts)
  dues.set(key, (dues.get(key) ?? 0) - 1)
  return Object.fromEntries(dues)
}

function catchUp(lease: HeldLease): number {
  return Math.max(1, Math.floor(CATCH_UP_MS / lease.spacingMs))
}
