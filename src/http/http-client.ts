/**
 * The one way out to other people's servers: every request, each redirect hop included, has a permit of
 * its own host, says who asks, is limited in time and size, and ends as an answer or a classified error.
 * Proxy variables of the environment are not read.
 */
import type { Permits } from '../core/limiter/permit.ts'
import type { Priority } from '../core/limiter/protocol.ts'
import type { ResponseHeaders } from '../core/retry-after.ts'
import { UnavailableError, UsageError } from '../errors.ts'
import { classifierFor, type DomainClassifier } from './classifiers/domain-classifier.ts'
import { type Clocks, exchange, type RequestTimeouts, type WantedAnswer } from './exchange.ts'
import type { Exchange } from './exchange-record.ts'
import { parseHttpUrl, shownUrl } from './http-url.ts'
import { isLoopback } from './loopback.ts'
import { createPatientAgent } from './patient-agent.ts'
import { type Hop, isRedirect, nextHop } from './redirect.ts'
import { RedirectWaits } from './redirect-waits.ts'
import { sentHeaders } from './sent-headers.ts'
import { contactRequired, userAgent } from './user-agent.ts'

export interface HttpClientOptions {
  readonly permits: Permits
  /** E-mail address or URL of the operator; undefined: only loopback can be called. */
  readonly contact: string | undefined
  /** Version of this program, for the User-Agent. */
  readonly version: string
  /** Until a connection stands, ms; default 10,000. */
  readonly connectTimeoutMs?: number
  /** Defaults: headers 60,000, body 30,000, total 90,000 ms. */
  readonly timeouts?: Partial<RequestTimeouts>
  /** Longest body in bytes, received and again decompressed; default 16 MiB. */
  readonly maxBodyBytes?: number
  /** Default: the machine's clocks. */
  readonly clocks?: Clocks
  /** How the answers of a domain (`domainKey`) are read; default: the table of `domain-classifier.ts`. */
  readonly classifierFor?: (domain: string) => DomainClassifier
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Aborting closes the socket and rejects with the signal's reason. */
  readonly signal: AbortSignal
  /** Whose request it is, for fairness between projects. */
  readonly project: string
  /** Default `normal`. */
  readonly priority?: Priority
  /** Which try of the same question this is, from 1 (the default). */
  readonly attempt?: number
  readonly timeouts?: Partial<RequestTimeouts>
  /** What the answer has to be; default `json`. Of an image the first kilobyte is read, and nothing is returned. */
  readonly wanted?: WantedAnswer
  /** Told of every request that left this machine, redirect hops too, once each has ended. */
  readonly onExchange?: (exchange: Exchange) => void
}

export interface HttpResponse {
  /** 200 to 299. */
  readonly status: number
  readonly headers: ResponseHeaders
  readonly bodyText: string
  /** Where the answer came from, after redirects. */
  readonly url: string
  /** Of the last hop, from sending to the end of the body. */
  readonly latencyMs: number
}

export interface HttpClient {
  /**
   * @throws OutsideCallError for whatever is not a 2xx answer with a body that could be what is wanted (`not_an_image`
   *   where that is an image), and `redirect_later` for a redirect that is to be waited for.
   * @throws UsageError `contact_required`, `bad_url`.
   * @throws UnavailableError `http_client_closed` once closed.
   */
  request(request: HttpRequest): Promise<HttpResponse>
  /** Aborts what is under way and closes all connections. */
  close(): Promise<void>
}

const defaultTimeouts: RequestTimeouts = { headersMs: 60_000, bodyMs: 30_000, totalMs: 90_000 }

const machineClocks: Clocks = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}

/** @throws UsageError `bad_contact`. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const agentName = userAgent(options)
  const named = (options.contact ?? '').trim() !== ''
  const agent = createPatientAgent(options.connectTimeoutMs ?? 10_000)
  const clocks = options.clocks ?? machineClocks
  const redirectWaits = new RedirectWaits(clocks)
  const closing = new AbortController()

  return {
    async request(request) {
      const { signal, project, priority, attempt, onExchange = () => {} } = request
      const context = {
        agent,
        permits: options.permits,
        clocks,
        classifierFor: options.classifierFor ?? classifierFor,
        closing: closing.signal,
        timeouts: { ...defaultTimeouts, ...options.timeouts, ...request.timeouts },
        maxBodyBytes: options.maxBodyBytes ?? 16 * 1024 * 1024,
        signal,
        wanted: request.wanted ?? 'json',
        project,
        priority,
        attempt,
        onExchange,
      }
      let hop = firstHop(request, agentName)
      for (let redirects = 0; ; redirects++) {
        if (!named && !isLoopback(hop.url)) throw contactRequired(hop.url.host)
        redirectWaits.beforeSending(hop)
        // A redirect to another origin takes only harmless ones along.
        const headers = sentHeaders(hop.headers, agentName)
        const answer = await exchange(context, { ...hop, headers })
        redirectWaits.answered(hop, answer.status, answer.headers)
        if (!isRedirect(answer.status)) return { ...answer, url: hop.url.href }
        hop = nextHop(hop, answer, redirects)
      }
    },
    async close() {
      closing.abort(
        new UnavailableError({
          code: 'http_client_closed',
          message: 'This process is stopping, so its HTTP client sends nothing more.',
        }),
      )
      await agent.destroy()
    },
  }
}

function firstHop(
  { method, url: address, headers = {}, body }: HttpRequest,
  agentName: string,
): Hop {
  const url = parseHttpUrl(address)
  if (!url || url.username !== '' || url.password !== '') {
    throw new UsageError({
      code: 'bad_url',
      message: url
        ? `The address of ${url.host} carries a user name or password; expected one without.`
        : 'The address to call is not an http:// or https:// URL with a host.',
      hint: 'Correct the service URL of the project.',
    })
  }
  url.hash = ''
  return { method, url, shown: shownUrl(url), headers: sentHeaders(headers, agentName), body }
}
