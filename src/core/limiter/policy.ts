/**
 * How fast a domain may be asked before anything is known about it, and how its limiter behaves.
 *
 * Every field of the source document's RateLimitConfig is here under its name, with its unit added;
 * `docs/limits.md` says what became of the few that are not.
 */
import { longestObeyedMs } from '../retry-after.ts'
import { queryServices, wikimediaSites } from '../wikimedia-sites.ts'

/**
 * How the rate is found: `adaptive` searches the server's limit and holds just below it; `aimd`,
 * `multiplier` and `cubic` are the classic rules; `fixed` keeps `maxRps`.
 */
export type StrategyName = 'adaptive' | 'aimd' | 'multiplier' | 'cubic' | 'fixed'

export interface DomainPolicy {
  readonly strategy: StrategyName
  /** Requests per second of all processes together to begin with, from `minRps` to `maxRps`. */
  readonly initialRps: number
  /** Never slower while anything is sent, above 0. */
  readonly minRps: number
  /** Never faster, up to 10,000. */
  readonly maxRps: number
  /** Most permits granted at once (a burst of the clients' demand, never of the server's load); null: a slot's worth. */
  readonly tokenBucketCapacity: number | null
  /** `aimd`: requests per second gained in each second without trouble. */
  readonly aimdIncrease: number
  /** `aimd`: what is left of the rate after a refusal, 0 to 1. */
  readonly aimdDecrease: number
  /** What a good answer may take before any was seen, ms. */
  readonly latencyTargetMs: number
  /** How much slower than usual is trouble, above 1. */
  readonly latencyDegradeFactor: number
  /** Part of failed requests that opens the breaker, above 0 to 1. */
  readonly errorRateThreshold: number
  /** Results in the window before the error rate means anything. */
  readonly minSamplesToTrip: number
  /** Failures without a success between them that open the breaker. */
  readonly consecutiveFailThreshold: number
  /** How long the breaker stays open at first, ms; doubles up to 20 s. */
  readonly openStateDurationMs: number
  /** Probes sent when half open; all must succeed to close. */
  readonly halfOpenProbes: number
  /** Wait after a refusal that names none, ms; doubles up to `retryMaxDelayMs`. */
  readonly retryBaseDelayMs: number
  readonly retryMaxDelayMs: number
  /** Over what the error rate is taken, ms, in steps of `statsBucketMs`; at most 32 steps. */
  readonly statsWindowMs: number
  readonly statsBucketMs: number
  /** The limiter ends, its learned state saved, after this long without a message, ms. */
  readonly domainStateTtlMs: number
  /** Requests on their way at once, of all processes together, 1 to 1,000. */
  readonly maxInFlight: number
  /** Least time between two requests (a crawl delay), ms; above 0 one process at a time sends. */
  readonly minSpacingMs: number
  /** What one lease covers, ms. */
  readonly slotMs: number
  /** A server that asks for a longer wait is asked again after this, with one request, ms. */
  readonly retryAfterCapMs: number
  /** Where a server meters something else than requests: units it gives back per second; null where it does not. */
  readonly costPerSecond: number | null
  /** Units that can be saved up. */
  readonly costBurst: number
}

const base: DomainPolicy = {
  strategy: 'adaptive',
  initialRps: 1,
  minRps: 0.05,
  maxRps: 20,
  tokenBucketCapacity: null,
  aimdIncrease: 0.2,
  aimdDecrease: 0.5,
  latencyTargetMs: 2_000,
  latencyDegradeFactor: 2,
  errorRateThreshold: 0.5,
  minSamplesToTrip: 20,
  consecutiveFailThreshold: 10,
  openStateDurationMs: 5_000,
  halfOpenProbes: 3,
  retryBaseDelayMs: 1_000,
  retryMaxDelayMs: 16_000,
  statsWindowMs: 30_000,
  statsBucketMs: 2_000,
  domainStateTtlMs: 600_000,
  maxInFlight: 4,
  minSpacingMs: 0,
  slotMs: 2_000,
  retryAfterCapMs: longestObeyedMs,
  costPerSecond: null,
  costBurst: 0,
}

/** A server on this machine is ours, or a test: asked at once as fast as it can, slower once it complains. */
const loopback: DomainPolicy = { ...base, initialRps: 100, maxRps: 100, maxInFlight: 8 }

/**
 * Wikimedia sites. mediawiki.org, "Wikimedia APIs/Rate limits": 200 requests a minute for a client whose
 * User-Agent names a contact. "API:Etiquette": in series rather than in parallel; three keep a rate of
 * 3.3/s up when an answer takes almost a second.
 */
const wikimedia: DomainPolicy = { ...base, initialRps: 3, maxRps: 200 / 60, maxInFlight: 3 }

/**
 * Wikidata's query service meters processing: 60 s of it in 60 s, 120 s at once, and advises one query
 * at a time ("Query limits" of its manual). Half of the burst is left to others behind the same address.
 */
const queryService: DomainPolicy = {
  ...wikimedia,
  initialRps: 1,
  maxInFlight: 1,
  costPerSecond: 1,
  costBurst: 60,
}

const loopbackHosts = /^(127(\.\d{1,3}){3}|\[::1\]|([^.]+\.)*localhost)$/

/**
 * The policy shipped for a domain; anybody we know nothing of is searched from one request a second.
 * @param domain Limiter key as `domainKey` builds it: lower-case host, plus the port where not the default.
 */
export function defaultPolicy(domain: string): DomainPolicy {
  const host = domain.replace(/:\d+$/, '')
  if (loopbackHosts.test(host)) return loopback
  if (queryServices.includes(host)) return queryService
  const isWikimedia = wikimediaSites.some((site) => host === site || host.endsWith(`.${site}`))
  return isWikimedia ? wikimedia : base
}
