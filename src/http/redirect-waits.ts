/**
 * Retry-After on a redirect: the least time to wait before the redirected request (RFC 9110 §10.2.3). It is
 * about that one address, so the domain is not slowed, and the call ends at once instead of holding its place.
 *
 *   unknown ── redirect with Retry-After ──▶ waiting ── time is up ──▶ open ── a while ──▶ unknown
 *                                            (nothing is sent)      (redirects are followed)
 *
 * So a server that says it with each redirect is waited for now and then, and never for ever. An address that
 * answers by itself is forgotten.
 */
import { longestObeyedMs, retryAfterMs, type ResponseHeaders } from '../core/retry-after.ts'
import { OutsideCallError } from '../errors.ts'
import type { Clocks } from './exchange.ts'
import { type Hop, isRedirect } from './redirect.ts'

/** Callers that were told to wait come back within it. */
const openMs = 600_000
/** The first ones remembered are dropped for more. */
const mostAddresses = 1_000

type Address = Pick<Hop, 'url' | 'shown'>

export class RedirectWaits {
  readonly #clocks: Clocks
  /** By address with query, the monotonic time from which a redirect is followed. */
  readonly #dueMs = new Map<string, number>()

  constructor(clocks: Clocks) {
    this.#clocks = clocks
  }

  /** @throws OutsideCallError kind `throttled`, code `redirect_later`, while the address is to be left alone. */
  beforeSending({ url, shown }: Address): void {
    const leftMs = (this.#dueMs.get(url.href) ?? 0) - this.#clocks.monotonicMs()
    if (leftMs > 0) throw redirectLater(shown, leftMs)
  }

  /** @throws as {@link beforeSending}, for a redirect that is not to be followed yet. */
  answered(address: Address, status: number, headers: ResponseHeaders): void {
    const { url } = address
    if (!isRedirect(status)) {
      this.#dueMs.delete(url.href)
      return
    }
    const nowMs = this.#clocks.monotonicMs()
    // Still to come, for the second of two calls that were on their way together.
    const dueMs = this.#dueMs.get(url.href) ?? Number.NEGATIVE_INFINITY
    const waitMs = retryAfterMs(headers, this.#clocks.wallMs())
    if (waitMs !== undefined && nowMs >= dueMs + openMs) {
      this.#remember(url, nowMs + Math.min(waitMs, longestObeyedMs))
    }
    this.beforeSending(address)
  }

  #remember(url: URL, dueMs: number): void {
    this.#dueMs.delete(url.href)
    this.#dueMs.set(url.href, dueMs)
    for (const first of this.#dueMs.keys()) {
      if (this.#dueMs.size <= mostAddresses) break
      this.#dueMs.delete(first)
    }
  }
}

function redirectLater(shown: string, waitMs: number): OutsideCallError {
  return new OutsideCallError({
    kind: 'throttled',
    code: 'redirect_later',
    message: `${shown} redirects, but not for ${Math.ceil(waitMs / 1000)} s yet; expected an answer.`,
    retryAfterMs: Math.ceil(waitMs),
  })
}
