/** How fast a domain may be asked before anything is known about it. */

export interface DomainPolicy {
  /** How the rate is found; `fixed` keeps `maxRps`. */
  readonly strategy: 'fixed'
  /** Requests per second of all processes together, above 0. */
  readonly maxRps: number
  /** Requests on their way at once, of all processes together, 1 to 1,000. */
  readonly maxInFlight: number
  /** Least time between two requests (a crawl delay); above 0 one process at a time sends. Default 0. */
  readonly minSpacingMs: number
  /** What one lease covers; the burst a domain can save up is one and a half of it. Default 2,000. */
  readonly slotMs: number
  /** Least life of a lease, never under 4,000: a limiter changing hosts may be silent for 3 s. */
  readonly leaseTtlMs: number
  /** A Retry-After above it is shown (`parkedForMs`), and the server asked again after this. Default one hour. */
  readonly retryAfterCapMs: number
}

const base = {
  strategy: 'fixed',
  minSpacingMs: 0,
  slotMs: 2_000,
  leaseTtlMs: 4_000,
  retryAfterCapMs: 3_600_000,
} as const

/** A server on this machine is ours, or a test: only protected from floods. */
const loopback: DomainPolicy = { ...base, maxRps: 100, maxInFlight: 8 }

/**
 * Wikimedia sites. mediawiki.org, "Wikimedia APIs/Rate limits": 200 requests a minute for a client whose
 * User-Agent names a contact. "API:Etiquette": in series rather than in parallel; three keep a rate of
 * 3.3/s up when an answer takes almost a second.
 */
const wikimedia: DomainPolicy = { ...base, maxRps: 200 / 60, maxInFlight: 3 }

/** Anybody else: what one person clicking quickly would do. */
const stranger: DomainPolicy = { ...base, maxRps: 2, maxInFlight: 2 }

const wikimediaSites =
  /(^|\.)(wikidata|wikipedia|wikimedia|wikibooks|wikinews|wikiquote|wikisource|wikiversity|wikivoyage|wiktionary|mediawiki)\.org$/

const loopbackHosts = /^(127(\.\d{1,3}){3}|\[::1\]|([^.]+\.)*localhost)$/

/**
 * The policy shipped for a domain.
 * @param domain Limiter key as `domainKey` builds it: lower-case host, plus the port where not the default.
 */
export function defaultPolicy(domain: string): DomainPolicy {
  const host = domain.replace(/:\d+$/, '')
  if (loopbackHosts.test(host)) return loopback
  return wikimediaSites.test(host) ? wikimedia : stranger
}
