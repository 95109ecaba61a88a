import { domainKey } from '../core/domain-key.ts'

/** True for this machine itself: `localhost`, `*.localhost`, `127.0.0.0/8`, `::1`, however spelt. */
export function isLoopback(url: URL): boolean {
  const host = domainKey(url.href).replace(/:\d+$/, '')
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)
}
