/**
 * Stops sending to a server that is broken, and finds out with a few probes when it is well again.
 *
 *              too many failures                      its time is over
 *   CLOSED ───────────────────────▶ OPEN ─────────────────────────────▶ HALF_OPEN
 *     ▲                              ▲     (twice as long each time)      │    │
 *     │                              └────────── any probe fails ─────────┘    │
 *     └───────────────────── all probes succeed ───────────────────────────────┘
 *
 * - CLOSED opens on the error rate of a full enough window, or on failures in a row. Refusals (429), 4xx
 *   and what we stopped ourselves are no failures; whoever calls `observe` counts them so.
 * - OPEN sends nothing. Late failures neither lengthen nor restart its time.
 * - HALF_OPEN grants `halfOpenProbes` permits and no more. Each half-open time is a generation: only results of
 *   its own probes count, so what was sent before the trip can neither close nor reopen it. A probe that was
 *   cancelled, unused or answered without a verdict gives its permit back; one nobody hears of again is
 *   written off when its lease ends. So probing never stops for good.
 *
 * Plain JSON; instants are of the limiter's own clock, so an open time goes on where it was after a restart.
 */
import type { DomainPolicy } from './policy.ts'

export interface Breaker {
  readonly state: 'closed' | 'open' | 'half_open'
  /** Of the present or last half-open time, from 1; 0 before the first. */
  readonly generation: number
  /** Times it has opened since it was last closed. */
  readonly opens: number
  readonly openUntilMs: number
  /** Probes of this generation that succeeded. */
  readonly succeeded: number
  /** Permits granted and not heard of yet, the oldest first. */
  readonly probes: readonly { readonly permits: number; readonly expiresMs: number }[]
  /** Permits written off: the next results may be theirs, so these free no permit that is still out. */
  readonly lost: number
}

/** How probes ended. */
export interface ProbeResults {
  readonly ok: number
  readonly failed: number
  /** Answers without a verdict on the server. */
  readonly neutral: number
  readonly cancelled: number
  readonly unused: number
}

/**
 * research/limiter.md §3.6 says five minutes, but a network or a server that is back is used again within
 * one (DESIGN §3): three probes in twenty seconds hurt nobody.
 */
const LONGEST_OPEN_MS = 20_000

export function closedBreaker(): Breaker {
  return {
    state: 'closed',
    generation: 0,
    opens: 0,
    openUntilMs: 0,
    succeeded: 0,
    probes: [],
    lost: 0,
  }
}

/** Milliseconds until anything may be sent; 0 when closed or half open. */
export function breakerHold(breaker: Breaker, nowMs: number): number {
  return breaker.state === 'open' ? Math.max(0, breaker.openUntilMs - nowMs) : 0
}

/**
 * Opens a closed breaker when there is reason to. After it has closed again the window has to start
 * empty, or old failures would open it at the first new one.
 * @param totals Of the error window.
 * @param random Uniform in [0, 1).
 */
export function observe(
  breaker: Breaker,
  totals: { readonly ok: number; readonly failed: number },
  failuresInARow: number,
  nowMs: number,
  policy: DomainPolicy,
  random: number,
): Breaker {
  if (breaker.state !== 'closed') return breaker
  const samples = totals.ok + totals.failed
  const isFailing =
    samples > 0 &&
    samples >= policy.minSamplesToTrip &&
    totals.failed >= policy.errorRateThreshold * samples
  return isFailing || failuresInARow >= policy.consecutiveFailThreshold
    ? open(breaker, nowMs, policy, random)
    : breaker
}

export function toHalfOpen(breaker: Breaker, nowMs: number): Breaker {
  if (breaker.state !== 'open' || nowMs < breaker.openUntilMs) return breaker
  return { ...breaker, state: 'half_open', generation: breaker.generation + 1 }
}

/**
 * Permits to probe with, as far as there are any left.
 * @param wanted Whole number.
 * @param ttlMs After it a probe not heard of is granted anew.
 */
export function grantProbes(
  breaker: Breaker,
  wanted: number,
  nowMs: number,
  ttlMs: number,
  policy: DomainPolicy,
): { readonly breaker: Breaker; readonly permits: number } {
  if (breaker.state !== 'half_open') return { breaker, permits: 0 }
  const current = writeOff(breaker, nowMs)
  // At least one: a policy changed meanwhile may ask for fewer successes than there are already.
  const needed = Math.max(1, policy.halfOpenProbes - current.succeeded)
  const permits = Math.max(0, Math.min(wanted, needed - permitsOut(current)))
  if (permits === 0) return { breaker: current, permits }
  const probes = [...current.probes, { permits, expiresMs: nowMs + ttlMs }]
  return { breaker: { ...current, probes }, permits }
}

/**
 * Reads how probes ended. One failure opens the breaker again, whatever else is in the report.
 * @param generation Breaker generation the probes were granted in.
 * @param random Uniform in [0, 1).
 */
export function probeResults(
  breaker: Breaker,
  generation: number,
  ended: ProbeResults,
  nowMs: number,
  policy: DomainPolicy,
  random: number,
): Breaker {
  if (breaker.state !== 'half_open' || generation !== breaker.generation) return breaker
  if (ended.failed > 0) return open(breaker, nowMs, policy, random)
  const succeeded = breaker.succeeded + ended.ok
  if (succeeded > 0 && succeeded >= policy.halfOpenProbes) {
    return { ...closedBreaker(), generation }
  }
  const returned = ended.ok + ended.neutral + ended.cancelled + ended.unused
  return { ...giveBack(writeOff(breaker, nowMs), returned), succeeded }
}

function open(breaker: Breaker, nowMs: number, policy: DomainPolicy, random: number): Breaker {
  return {
    ...closedBreaker(),
    state: 'open',
    generation: breaker.generation,
    opens: breaker.opens + 1,
    openUntilMs: nowMs + openMs(breaker.opens, policy, random),
  }
}

/** Jitter as wide as the step, laid around it (like `retry-delay.ts`): 5 s stands for 2.5 to 7.5 s. */
function openMs(opensBefore: number, { openStateDurationMs }: DomainPolicy, random: number) {
  const longestMs = Math.max(LONGEST_OPEN_MS, openStateDurationMs)
  return Math.min(longestMs, openStateDurationMs * 2 ** opensBefore * (0.5 + random))
}

function writeOff(breaker: Breaker, nowMs: number): Breaker {
  const probes = breaker.probes.filter(({ expiresMs }) => nowMs < expiresMs)
  return { ...breaker, probes, lost: breaker.lost + permitsOut(breaker) - permitsOut({ probes }) }
}

function giveBack(breaker: Breaker, permits: number): Breaker {
  let left = Math.max(0, permits - breaker.lost)
  const probes = breaker.probes.map((probe) => {
    const back = Math.min(left, probe.permits)
    left -= back
    return { ...probe, permits: probe.permits - back }
  })
  return {
    ...breaker,
    lost: Math.max(0, breaker.lost - permits),
    probes: probes.filter((probe) => probe.permits > 0),
  }
}

function permitsOut({ probes }: Pick<Breaker, 'probes'>): number {
  return probes.reduce((sum, { permits }) => sum + permits, 0)
}
