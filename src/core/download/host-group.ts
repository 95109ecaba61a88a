import { getDomain } from 'tldts'

/** `host` each host and port for itself; `domain` all hosts of one owner, as far as the public suffix list knows. */
export type HostGrouping = 'host' | 'domain'

/**
 * Whose hosts share a cap: `images.example.co.uk` and `example.co.uk:8080` are both of `example.co.uk`.
 * @param host as `domainKey` writes it
 */
export function hostGroup(host: string, grouping: HostGrouping): string {
  // Users of one hosting service are owners of their own.
  const wish = { allowPrivateDomains: true }
  return grouping === 'host' ? host : (getDomain(`http://${host}/`, wish) ?? host)
}
