/** The limiter's key of a URL (research/limiter.md §3.9): who is asked, however the address is spelt. */

/**
 * Normalised host, plus the port where it is not the scheme's default: `www.wikidata.org`, `[::1]:8080`.
 * http and https share a key, user information and path do not count, a root dot is dropped, an IPv4
 * address mapped into IPv6 is the IPv4 one.
 * @param url An http or https URL, or a bare `host[:port]` as a person types it (80 and 443 are default).
 * @throws TypeError naming what was found, for anything else (an unbracketed IPv6 address, `a..b`, ftp).
 */
export function domainKey(url: string): string {
  const text = url.trim()
  const bare = !/^[a-z][a-z\d+.-]*:\/\//i.test(text)
  const address = bare ? `https://${text}` : text
  if (!URL.canParse(address)) throw notADomain(text)
  const parsed = new URL(address)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') throw notADomain(text)
  const host = parsed.hostname.replace(/\.$/, '')
  if (host.split('.').includes('')) throw notADomain(text)
  const port = bare && parsed.port === '80' ? '' : parsed.port
  return (mappedIpv4(host) ?? host) + (port === '' ? '' : `:${port}`)
}

/** `[::ffff:7f00:1]` → `127.0.0.1`; undefined for every other host. */
function mappedIpv4(host: string): string | undefined {
  const halves = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(host)?.slice(1)
  return halves
    ?.map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 0xff])
    .join('.')
}

function notADomain(text: string): TypeError {
  // User information and query may be secret.
  const shown = text.replace(/[?#].*$/s, '').replace(/^([^/]*\/\/)?[^/]*@/, '$1')
  return new TypeError(
    `"${shown}" names no host; expected http(s)://host[:port]/… or host[:port], IPv6 in brackets`,
  )
}
