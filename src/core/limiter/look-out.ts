/**
 * A lease changes hands at a server that names its waits (Retry-After): what the last requests of the holder
 * before brought is known to the limiter when their answers are there, to the next holder only when it asks.
 * So it asks when they should be there, and not only when its lease ends. It does not wait for the answer: a pause
 * at every change of hands would cost the use of a strict server, and mislead what is measured of it.
 */
import { leaseRps, othersThan, type Lease, type LimiterState } from './limiter-state.ts'

/** Longer answers are not waited for. */
const LONGEST_MS = 100
const ALMOST_MS = 200

/**
 * @param name Of the process the lease is for; its only one when it takes over.
 * @returns How long after its first permit is due the process should ask; null when it need not.
 */
export function lookOutMs(
  state: LimiterState,
  name: string,
  lease: Lease,
  linkMs: number,
): number | null {
  const hasWaited = state.pauseUntilMs > 0
  const own = state.workers[name]?.leases ?? []
  if (!hasWaited || own.some(({ number }) => number < lease.number)) return null
  const isTakenOver = othersThan(state, name)
    .flatMap(({ leases }) => leases)
    .some(({ endMs }) => endMs <= lease.startMs && endMs > lease.startMs - ALMOST_MS)
  if (!isTakenOver) return null
  // The last request left one spacing before; its answer and the news of it are on their way since.
  const newsMs = (state.latency.shortMs ?? 0) + linkMs / 2 - 1000 / leaseRps(lease)
  return Math.max(0, Math.min(LONGEST_MS, newsMs))
}
