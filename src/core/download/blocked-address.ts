/** Which addresses a download may connect to (server-side request forgery). Pure. */
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** IPv6 ranges whose last or inner 32 bits are an IPv4 address, by the octet at which it begins. */
const embedded: readonly { readonly range: [ipaddr.IPv6, number]; readonly at: number }[] = [
  { range: [ipaddr.IPv6.parse('::'), 96], at: 12 },
  { range: [ipaddr.IPv6.parse('::ffff:0:0'), 96], at: 12 },
  { range: [ipaddr.IPv6.parse('64:ff9b::'), 96], at: 12 },
  { range: [ipaddr.IPv6.parse('2002::'), 16], at: 2 },
]

/** Addresses and CIDR ranges that are called though they are not public, for intranets and tests. */
export type AllowedRanges = readonly string[]

/**
 * True for everything that is not a public unicast address: private, loopback, link-local, metadata, multicast,
 * reserved, also inside an IPv6 address; and for what is no address at all.
 * @param allowed ranges that are called all the same
 */
export function isBlockedAddress(text: string, allowed: AllowedRanges = []): boolean {
  const address = parsed(text)
  if (address === undefined) return true
  return !isAllowedAddress(text, allowed) && !isPublic(address)
}

/** In one of the allowed ranges. */
export function isAllowedAddress(text: string, allowed: AllowedRanges): boolean {
  const address = parsed(text)
  return address !== undefined && allowed.some((range) => isIn(unmapped(address), range))
}

/** The address that a host of a URL is, without brackets; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return parsed(bare) === undefined ? undefined : bare
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast'
  const inner = embedded.find(({ range }) => address.match(range))
  if (inner === undefined) return address.range() === 'unicast'
  const octets = address.toByteArray().slice(inner.at, inner.at + 4)
  return new ipaddr.IPv4(octets).range() === 'unicast'
}

/** `::ffff:127.0.0.1` → `127.0.0.1`: how a socket of both families names its peer. */
function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
    ? address.toIPv4Address()
    : address
}

function isIn(address: Address, range: string): boolean {
  const [network, bits] = range.includes('/')
    ? ipaddr.parseCIDR(range)
    : ([ipaddr.parse(range), undefined] as const)
  if (network.kind() !== address.kind()) return false
  return address.match(network, bits ?? (network.kind() === 'ipv4' ? 32 : 128))
}

/** ipaddr.js reads `127.1` and `0x7f000001` too, which a socket never names; a zone is dropped. */
function parsed(text: string): Address | undefined {
  const bare = text.replace(/%.*$/, '')
  return ipaddr.isValid(bare) ? ipaddr.parse(bare) : undefined
}
