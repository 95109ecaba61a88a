/**
 * How a service wants to be told who asks: the `authentication` of its manifest, a security scheme of OpenAPI 3 or
 * Swagger 2. Pure.
 */
import { field, isJsonObject } from '../tolerant-json.ts'

/** `basic` takes `user:password`, `bearer` a token that was obtained elsewhere (OAuth 2, OpenID Connect). */
export type SecurityScheme =
  | { readonly kind: 'basic' }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }

/** The part of a request that a secret can stand in. */
export interface AddressedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const headerName = /^[\w!#$%&'*+.^`|~-]+$/
/** Headers that say how a request is read: a key under such a name would break it. */
const ownHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|user-agent|accept-encoding)$/i

/** @returns undefined for anything that is not one of these schemes. */
export function readSecurityScheme(value: unknown): SecurityScheme | undefined {
  if (!isJsonObject(value)) return undefined
  const word = (key: string): string => {
    const text = field(value, key)
    return typeof text === 'string' ? text.trim() : ''
  }
  const type = word('type').toLowerCase()
  const scheme = word('scheme').toLowerCase()
  if (type === 'basic' || (type === 'http' && scheme === 'basic')) return { kind: 'basic' }
  if (type === 'http' && scheme === 'bearer') return { kind: 'bearer' }
  if (type === 'oauth2' || type === 'openidconnect') return { kind: 'bearer' }
  return type === 'apikey' ? apiKey(word('in').toLowerCase(), word('name')) : undefined
}

/** The request with the secret where the scheme wants it. */
export function withSecret<Request extends AddressedRequest>(
  request: Request,
  scheme: SecurityScheme,
  secret: string,
): Request {
  const withHeader = (name: string, value: string): Request => ({
    ...request,
    headers: { ...request.headers, [name]: value },
  })
  if (scheme.kind === 'basic') {
    return withHeader('authorization', `Basic ${Buffer.from(secret).toString('base64')}`)
  }
  if (scheme.kind === 'bearer') return withHeader('authorization', `Bearer ${secret}`)
  if (scheme.in === 'header') return withHeader(scheme.name, secret)
  if (scheme.in === 'cookie') {
    return withHeader('cookie', `${scheme.name}=${encodeURIComponent(secret)}`)
  }
  const url = new URL(request.url)
  url.searchParams.set(scheme.name, secret)
  return { ...request, url: url.href }
}

/** The address that a request came to, without a key in it. */
export function withoutSecret(url: string, scheme: SecurityScheme | null): string {
  if (scheme?.kind !== 'apiKey' || scheme.in !== 'query') return url
  const bare = new URL(url)
  bare.searchParams.delete(scheme.name)
  return bare.href
}

/** For people: what is wanted, and in which form it is given. */
export function schemeText(scheme: SecurityScheme): string {
  if (scheme.kind === 'basic') return 'a user name and password, given as user:password'
  if (scheme.kind === 'bearer') return 'a bearer token'
  return `a key (${scheme.in} "${scheme.name.slice(0, 50)}")`
}

function apiKey(place: string, name: string): SecurityScheme | undefined {
  if (name === '') return undefined
  if (place === 'query') return { kind: 'apiKey', in: 'query', name }
  if (place === 'cookie' && headerName.test(name)) return { kind: 'apiKey', in: 'cookie', name }
  if (place !== 'header' || !headerName.test(name) || ownHeaders.test(name)) return undefined
  return { kind: 'apiKey', in: 'header', name: name.toLowerCase() }
}
