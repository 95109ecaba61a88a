/** The secrets of the operator, each for one host: a manifest decides how a secret is sent, never to whom. */
import { domainKey } from '../../core/domain-key.ts'
import { OutsideCallError } from '../../errors.ts'
import { isLoopback } from '../loopback.ts'
import {
  type AddressedRequest,
  schemeText,
  type SecurityScheme,
  withSecret,
} from './security-scheme.ts'

/** Host as `domainKey` writes it → `user:password`, token or key. */
export type ServiceCredentials = Readonly<Record<string, string>>

/**
 * The secret for an address; undefined where none is set for its host.
 * @throws OutsideCallError kind `endpoint`, `credentials_unencrypted`, where it would cross a network unencrypted.
 */
export function secretFor(credentials: ServiceCredentials, address: string): string | undefined {
  const url = new URL(address)
  const host = domainKey(url.href)
  const secret = Object.hasOwn(credentials, host) ? credentials[host] : undefined
  if (secret === undefined || url.protocol === 'https:' || isLoopback(url)) return secret
  throw new OutsideCallError({
    kind: 'endpoint',
    code: 'credentials_unencrypted',
    message: `Credentials are set for ${host}, but its address begins with http://; expected https://.`,
    hint: 'Set an https address with: ./record-linker project set ID --service URL, then resume the run.',
  })
}

/**
 * A request with the secret of the host it goes to now, which after a redirect may be one that must not know it.
 * @throws OutsideCallError kind `endpoint`: `credentials_unencrypted`.
 */
export function authorised<Request extends AddressedRequest>(
  request: Request,
  scheme: SecurityScheme | null,
  credentials: ServiceCredentials,
): Request {
  const secret = scheme === null ? undefined : secretFor(credentials, request.url)
  return scheme === null || secret === undefined ? request : withSecret(request, scheme, secret)
}

/** A service that answers nobody it does not know, and nothing to tell it. */
export function credentialsMissing(address: string, scheme: SecurityScheme): OutsideCallError {
  const host = domainKey(address)
  return new OutsideCallError({
    kind: 'endpoint',
    code: 'credentials_missing',
    message: `${host} wants ${schemeText(scheme)}; none is set for this host.`,
    hint: `Set RECORD_LINKER_CREDENTIALS='{"${host}": "…"}', restart with ./record-linker down and up, then resume the run.`,
  })
}
