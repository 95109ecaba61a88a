import type { HttpClient } from '../../http/http-client.ts'
import { spanNow } from './span-now.ts'
import type { Span, TraceAttributes } from './tracer.ts'

export interface EndedRequest {
  /** The limiter's key of it. */
  readonly host: string
  readonly method: string
  /** Null: no answer came. */
  readonly status: number | null
  readonly latencyMs: number
  /** Null: it has not failed. */
  readonly code: string | null
}

/** Tells of a request that has just ended. */
export function requestSpan(parent: Span, request: EndedRequest, more: TraceAttributes = {}): void {
  const { host, method, status, latencyMs, code } = request
  const attributes = {
    host,
    'http.request.method': method,
    'http.response.status_code': status,
    ...more,
  }
  const span = parent.child('http.request', attributes, Date.now() - latencyMs)
  if (code !== null) span.fail(code)
  span.end()
}

/** The same client, whose requests are part of what asks for them. */
export function tracedHttp(http: Pick<HttpClient, 'request'>): Pick<HttpClient, 'request'> {
  return {
    request(request) {
      const parent = spanNow()
      if (parent === undefined) return http.request(request)
      return http.request({
        ...request,
        onExchange(exchange) {
          requestSpan(parent, { ...exchange, host: exchange.domain })
          request.onExchange?.(exchange)
        },
      })
    },
  }
}
