/** Whether each request had a lease, and what may be sent without one while the limiter is silent. Pure. */
import { SAFE_AFTER_MS, safeRateAfter } from '../../src/core/limiter/safe-rate.ts'

/** Instants of all three are of one clock. */
export interface Sent {
  readonly atMs: number
  readonly worker: string
}

export interface LeaseSpan {
  readonly worker: string
  readonly permits: number
  readonly fromMs: number
  readonly toMs: number
}

/** How long the limiter was silent towards a process. */
export interface Silence {
  readonly fromMs: number
  readonly toMs: number
  /** Requests per second it named for that case. */
  readonly safeRate: number
}

/**
 * Requests that no lease of their process covers. Each permit is used once, that of the lease that ends
 * first before others.
 * @param slackMs What messages and this process may take: widens each lease at both ends.
 */
export function sentWithoutLease(
  sent: readonly Sent[],
  leases: readonly LeaseSpan[],
  slackMs: number,
): readonly Sent[] {
  const open = leases
    .toSorted((a, b) => a.toMs - b.toMs)
    .map((lease) => ({ ...lease, left: lease.permits }))
  return sent
    .toSorted((a, b) => a.atMs - b.atMs)
    .filter(({ atMs, worker }) => {
      const lease = open.find(
        (one) =>
          one.left > 0 &&
          one.worker === worker &&
          atMs >= one.fromMs - slackMs &&
          atMs < one.toMs + slackMs,
      )
      if (lease === undefined) return true
      lease.left -= 1
      return false
    })
}

/** A process notices the silence when it next has something to say. */
const NOTICED_WITHIN_MS = 5_000
const STEP_MS = 100
const ROUNDING = 1e-6

/** Requests that a process may send on its own authority in a silence, at most. */
export function safeModeAllowance({ fromMs, toMs, safeRate }: Silence): number {
  const silentMs = toMs - fromMs
  if (silentMs < SAFE_AFTER_MS) return 0
  let permits = 1
  for (let ms = SAFE_AFTER_MS; ms < silentMs; ms += STEP_MS) {
    const rate = safeRateAfter(safeRate, Math.max(SAFE_AFTER_MS, ms - NOTICED_WITHIN_MS))
    permits += (rate * Math.min(STEP_MS, silentMs - ms)) / 1000
  }
  return Math.ceil(permits - ROUNDING)
}

/**
 * Requests that neither a lease nor safe mode covers.
 * @param lone What `sentWithoutLease` found.
 * @param silences By process.
 */
export function sentOnNoAuthority(
  lone: readonly Sent[],
  silences: ReadonlyMap<string, Silence>,
  slackMs: number,
): number {
  const workers = new Set(lone.map(({ worker }) => worker))
  return [...workers].reduce((sum, worker) => {
    const own = lone.filter((one) => one.worker === worker)
    const silence = silences.get(worker)
    if (silence === undefined) return sum + own.length
    const inside = own.filter(
      ({ atMs }) =>
        atMs >= silence.fromMs + SAFE_AFTER_MS - slackMs && atMs < silence.toMs + slackMs,
    )
    const beyond = Math.max(0, inside.length - safeModeAllowance(silence))
    return sum + own.length - inside.length + beyond
  }, 0)
}
