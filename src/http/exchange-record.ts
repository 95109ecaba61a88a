import type { CallOutcome, Permit } from '../core/limiter/permit.ts'
import type { OutsideErrorKind } from '../errors.ts'
import type { DomainClassifier } from './classifiers/domain-classifier.ts'
import type { Hop } from './redirect.ts'

/** What is told of each request that left this machine: the facts of an attempt. */
export interface Exchange {
  /** The limiter's key of the host that was asked. */
  readonly domain: string
  readonly method: Hop['method']
  /** For people: without query, and without the path that a redirect led to. */
  readonly url: string
  /** Null when no answer came. */
  readonly status: number | null
  readonly latencyMs: number
  readonly kind: 'ok' | 'redirect' | 'cancelled' | OutsideErrorKind
  /** The error's code; null for `ok`, `redirect` and `cancelled`. */
  readonly code: string | null
  /** The error's message; null where there is no code. */
  readonly message: string | null
}

/** How a request ended; an OutsideCallError is one. */
export interface Ending {
  readonly kind: Exchange['kind']
  readonly status?: number | undefined
  readonly code?: string
  readonly message?: string
}

/** A request that has a permit and was sent. */
export interface Sent {
  readonly permit: Permit
  readonly hop: Hop
  readonly classifier: DomainClassifier
  readonly onExchange: (exchange: Exchange) => void
}

/** Reports the permit, with what the request cost however it ended, then tells the caller. To be called exactly once per request. */
export function endExchange(sent: Sent, outcome: CallOutcome, ending: Ending): void {
  const cost = sent.classifier.costOf?.(outcome.latencyMs ?? 0)
  sent.permit.report({ ...outcome, cost })
  sent.onExchange({
    domain: sent.permit.domain,
    method: sent.hop.method,
    url: sent.hop.shown,
    status: ending.status ?? null,
    latencyMs: outcome.latencyMs ?? 0,
    kind: ending.kind,
    code: ending.code ?? null,
    message: ending.message ?? null,
  })
}
