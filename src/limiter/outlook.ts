/** What a process can expect of one domain: when a permit may be had, and what it tells those it turns away. */
import { comeback } from '../core/limiter/comeback.ts'
import { SAFE_AFTER_MS, safeRateAfter } from '../core/limiter/safe-rate.ts'
import type { OutsideCallError } from '../errors.ts'
import type { DomainStatus } from './domain-status.ts'
import type { LeasePurse } from './lease-purse.ts'
import type { LimiterTalk } from './limiter-talk.ts'
import type { LimiterWord } from './limiter-word.ts'
import { noPermitSoon } from './no-permit-soon.ts'

export interface OutlookOptions {
  readonly domain: string
  /** Requests per second until the limiter has named a rate. */
  readonly firstRate: number
  readonly random: () => number
  readonly word: LimiterWord
  readonly purse: LeasePurse
  readonly talk: LimiterTalk
}

/** A limiter that is away and never named a safe rate: come back later than anybody waits in line. */
const NOBODY_KNOWS_MS = 4_000
/** Nobody that is turned away comes back this much later than the first. */
const HORIZON_MS = 60_000
/** A limiter that is away may be back at any moment, with the full rate. */
const AWAY_HORIZON_MS = 5_000
/**
 * Permits flow, only to another process: whoever comes back may find itself there, and a process whose turn
 * begins must find callers, or its permits pass unused.
 */
const ELSEWHERE_MS = 2_000

export class Outlook {
  readonly #options: OutlookOptions
  /** The latest time promised to a caller that was turned away. */
  #lastPromiseMs = -Infinity

  constructor(options: OutlookOptions) {
    this.#options = options
  }

  get lastPromiseMs(): number {
    return this.#lastPromiseMs
  }

  /** When silence of the limiter counts as its absence; undefined while it answers. */
  get awayFromMs(): number | undefined {
    const { silentSinceMs } = this.#options.talk
    return silentSinceMs === undefined ? undefined : silentSinceMs + SAFE_AFTER_MS
  }

  /** Requests per second to send without the limiter; 0 while it answers, and when it was away too long. */
  safeRate(nowMs: number): number {
    const { word, talk } = this.#options
    return safeRateAfter(word.safeRate, nowMs - (talk.silentSinceMs ?? nowMs))
  }

  /** Requests this process may have on their way at once. */
  inFlightCap(nowMs: number): number {
    const { inFlightCap, safeInFlight } = this.#options.word
    return this.#isAway(nowMs) ? Math.min(inFlightCap, safeInFlight) : inFlightCap
  }

  /** Why nothing is sent; null when permits flow. */
  hold(nowMs: number): DomainStatus['hold'] {
    const { word, purse } = this.#options
    const isAlone = this.#isAway(nowMs) && purse.left(nowMs) === 0
    return word.holdReason(nowMs) ?? (isAlone ? 'limiter_silent' : null)
  }

  holding(nowMs: number): Pick<DomainStatus, 'hold' | 'holdForMs'> {
    const hold = this.hold(nowMs)
    return { hold, holdForMs: hold === null ? 0 : Math.ceil(this.#options.word.heldForMs(nowMs)) }
  }

  /** Until a permit could be had by somebody with `ahead` callers before it, as far as is known. */
  waitMs(nowMs: number, ahead: number): number {
    return this.#firstPermitMs(nowMs) + (ahead * 1000) / this.#rate(nowMs)
  }

  /** The answer to a caller that no permit can reach in time; each gets another time to come back. */
  turnAway(nowMs: number, ahead: number): OutsideCallError {
    const { domain, random, word } = this.#options
    const isAway = this.#isAway(nowMs)
    const horizonMs = isAway ? AWAY_HORIZON_MS : HORIZON_MS
    const isElsewhere = this.hold(nowMs) === null
    const mostMs = isAway ? AWAY_HORIZON_MS : isElsewhere ? ELSEWHERE_MS : Infinity
    const waitMs = Math.min(this.waitMs(nowMs, ahead), mostMs)
    const rate = this.#rate(nowMs)
    const promise = comeback(nowMs, waitMs, rate, this.#lastPromiseMs, horizonMs, random())
    this.#lastPromiseMs = promise.lastPromiseMs
    const expectedMs = Math.max(promise.retryAfterMs, word.heldForMs(nowMs))
    return noPermitSoon(domain, this.hold(nowMs), promise.retryAfterMs, expectedMs)
  }

  /** Permits pass unused: those that were turned away are not coming back. */
  forgetPromises(nowMs: number): void {
    this.#lastPromiseMs = nowMs
  }

  #firstPermitMs(nowMs: number): number {
    const { word, purse } = this.#options
    const heldForMs = this.#isAway(nowMs) ? word.heldForMs(nowMs) : word.sureForMs(nowMs)
    if (heldForMs > 0) return heldForMs
    const nextMs = purse.nextMs(nowMs)
    if (nextMs !== undefined) return nextMs - nowMs
    if (this.#isAway(nowMs)) return this.safeRate(nowMs) > 0 ? 0 : NOBODY_KNOWS_MS
    return Math.max(0, word.askNotBeforeMs - nowMs)
  }

  #isAway(nowMs: number): boolean {
    return nowMs >= (this.awayFromMs ?? Infinity)
  }

  #rate(nowMs: number): number {
    const { word, firstRate } = this.#options
    const safeRate = this.safeRate(nowMs)
    if (safeRate > 0) return safeRate
    return word.rate > 0 ? word.rate : firstRate
  }
}
