import { domainKey } from '../core/domain-key.ts'

/** An http or https URL with a host the limiter has a key for; undefined for anything else. */
export function parseHttpUrl(address: string, base?: URL): URL | undefined {
  if (!URL.canParse(address, base?.href)) return undefined
  const url = new URL(address, base)
  try {
    domainKey(url.href)
  } catch {
    // Another scheme, or a host like "a..b": nothing we can call.
    return undefined
  }
  return url
}

/** A URL fit for messages and logs: no user information, query or fragment, which may hold secrets or data. */
export function shownUrl(url: URL): string {
  return url.origin + url.pathname
}
