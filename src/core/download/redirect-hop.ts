/** Where a redirected download goes next, and what it may take along. Pure. */
import type { FailureReason } from './failure-reason.ts'

/** One request to one address. */
export interface DownloadHop {
  readonly url: URL
  /** Names in lower case; those that a caller gave, ours are added when it is sent. */
  readonly headers: Readonly<Record<string, string>>
  /** Addresses that were asked before it, without fragments. */
  readonly visited: readonly string[]
}

export interface RedirectRules {
  readonly maxRedirects: number
  readonly allowDowngrade: boolean
}

/** What may follow to another origin; a credential can have any other name. */
const harmless = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
])

/** What a signed address has in its query: a second credential beside it is refused by those who serve it. */
const signature = /^(?:x-(?:amz|goog|oss)-signature|signature|sig)$/i

/** The first hop of an address; undefined for what is no http or https address. */
export function firstHop(
  address: string,
  headers: Readonly<Record<string, string>>,
): DownloadHop | undefined {
  const url = httpUrl(address)
  if (url === undefined) return undefined
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { url, headers: Object.fromEntries(lowerCase), visited: [] }
}

/** @returns why it is not followed, where it is not */
export function nextDownloadHop(
  hop: DownloadHop,
  location: string | undefined,
  rules: RedirectRules,
): DownloadHop | FailureReason {
  const url = location === undefined ? undefined : httpUrl(location, hop.url)
  if (url === undefined) return 'bad-redirect'
  const visited = [...hop.visited, hop.url.href]
  if (visited.includes(url.href)) return 'redirect-loop'
  if (visited.length > rules.maxRedirects) return 'too-many-redirects'
  const downgrades = hop.url.protocol === 'https:' && url.protocol === 'http:'
  if (downgrades && !rules.allowDowngrade) return 'downgrade-refused'
  const isSigned = [...url.searchParams.keys()].some((name) => signature.test(name))
  const keepsAll = url.origin === hop.url.origin && !isSigned
  const kept = Object.entries(hop.headers).filter(([name]) => keepsAll || harmless.has(name))
  return { url, headers: Object.fromEntries(kept), visited }
}

/** User information in an address is not sent anywhere but where the caller put it, as a header. */
function httpUrl(address: string, base?: URL): URL | undefined {
  if (!URL.canParse(address, base?.href)) return undefined
  const url = new URL(address, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.hostname.replace(/\.$/, '').split('.').includes('')) return undefined
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}
