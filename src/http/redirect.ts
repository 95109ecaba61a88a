/** Where a redirected request goes next. Pure. */
import { headerText, type ResponseHeaders } from '../core/retry-after.ts'
import { OutsideCallError } from '../errors.ts'
import { isLoopback } from './loopback.ts'
import { parseHttpUrl } from './http-url.ts'

/** Redirects followed in one request. */
const maxRedirects = 5

/** One request to one address. */
export interface Hop {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** The address for messages and logs: without what a server that was sent a question could have put into it. */
  readonly shown: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Headers that may follow to another origin; a credential can have any other name. */
const harmlessHeaders = ['accept', 'accept-encoding', 'accept-language', 'content-type', 'range']

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

/**
 * The next hop. A POST stays a POST with its body for 301 and 302 as well: ours are questions, and a GET
 * in its place would fetch the manifest instead of the answer (OpenRefine#2667). Only 303 makes it a GET.
 * @param redirects Followed so far.
 * @throws OutsideCallError kind `endpoint`: `too_many_redirects`, or `bad_redirect` for an address that is
 *   missing, not http(s), or leads from somebody else's host into this machine.
 */
export function nextHop(
  hop: Hop,
  answer: { readonly status: number; readonly headers: ResponseHeaders },
  redirects: number,
): Hop {
  if (redirects >= maxRedirects) {
    throw redirectError(hop, 'too_many_redirects', `redirects more than ${maxRedirects} times`)
  }
  const location = headerText(answer.headers, 'location') ?? ''
  const url = location === '' ? undefined : parseHttpUrl(location, hop.url)
  if (!url) {
    throw redirectError(hop, 'bad_redirect', 'redirects without a usable http or https address')
  }
  if (isLoopback(url) && !isLoopback(hop.url)) {
    throw redirectError(hop, 'bad_redirect', 'redirects into this machine')
  }
  url.username = ''
  url.password = ''
  url.hash = ''
  const asGet = answer.status === 303
  return {
    method: asGet ? 'GET' : hop.method,
    url,
    shown: `${url.origin} (redirected)`,
    headers: headersFor(hop, url, asGet),
    body: asGet ? undefined : hop.body,
  }
}

function headersFor(hop: Hop, url: URL, asGet: boolean): Hop['headers'] {
  const kept = Object.entries(hop.headers).filter(
    ([name]) =>
      (hop.url.origin === url.origin || harmlessHeaders.includes(name)) &&
      !(asGet && name === 'content-type'),
  )
  return Object.fromEntries(kept)
}

function redirectError(hop: Hop, code: string, text: string): OutsideCallError {
  return new OutsideCallError({
    kind: 'endpoint',
    code,
    message: `${hop.shown} ${text}.`,
    hint: 'Open the address in a browser and give the final one, then resume the run.',
  })
}
