/** A request as it goes over the wire, with what is secret hidden. */
import type { LookupQuery } from '../../../core/matching/lookup-query.ts'
import { batchProtocol02 } from '../../../http/reconciliation/batch-protocol-0-2.ts'
import { protocolFor } from '../../../http/reconciliation/protocol-for.ts'
import { sentHeaders } from '../../../http/sent-headers.ts'
import { type Identity, userAgent } from '../../../http/user-agent.ts'

export interface ShownRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty for a GET. */
  readonly body: string
}

interface EncodedRequest {
  readonly method: ShownRequest['method']
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const HIDDEN = '(hidden)'
const secretName = /auth|token|secret|key|cookie|password|signature|session/i

/**
 * The first request with questions.
 * @param versions of the API that the service speaks, as far as known
 * @throws UsageError `bad_contact`
 */
export function firstRequest(
  endpoint: string,
  versions: readonly string[],
  queries: readonly LookupQuery[],
  identity: Identity,
): ShownRequest {
  const protocol = protocolFor(versions) ?? batchProtocol02
  return shownRequest({ method: 'POST', ...protocol.encode(endpoint, queries) }, identity)
}

/** A request as it is sent, with what is secret hidden. @throws UsageError `bad_contact` */
export function shownRequest(
  { method, url, headers, body = '' }: EncodedRequest,
  identity: Identity,
): ShownRequest {
  return {
    method,
    url: urlWithoutSecrets(url),
    headers: withoutSecrets({
      host: new URL(url).host,
      connection: 'keep-alive',
      ...sentHeaders(headers, userAgent(identity)),
      ...(method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
    }),
    body,
  }
}

/** An address for people to read: user information and parameters that look like credentials are hidden. */
export function urlWithoutSecrets(address: string): string {
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') url.username = HIDDEN
  url.password = ''
  for (const name of url.searchParams.keys()) {
    if (secretName.test(name)) url.searchParams.set(name, HIDDEN)
  }
  return url.href
}

function withoutSecrets(headers: Readonly<Record<string, string>>): ShownRequest['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretName.test(name) ? HIDDEN : value]),
  )
}
