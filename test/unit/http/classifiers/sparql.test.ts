import { describe, expect, it } from 'vitest'
import { classifyResponse } from '../../../../src/http/classify-response.ts'
import { generic, sparql } from '../../../../src/http/classifiers/domain-classifier.ts'

const nowMs = Date.UTC(2026, 8, 15, 12)
const rows = '{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"uri","value":"Q1"}},'
const trace = (error: string): string =>
  `\nSPARQL-QUERY: queryStr=SELECT * { ?s ?p ?o }\n${error}\n\tat java.base/java.util.concurrent.FutureTask.get(FutureTask.java:205)\n\tat com.bigdata.rdf.sail.webapp.QueryServlet.doGet(QueryServlet.java:288)\n\t... 12 more\n`
const timeout = trace('java.util.concurrent.TimeoutException')
const page = (title: string): string => `<html><head><title>Error ${title}</title></head></html>`

function verdict(
  status: number,
  bodyText: string,
  headers: Record<string, string> = {},
): readonly unknown[] {
  const { outcome, fault } = classifyResponse(sparql, { status, headers, bodyText }, 40, nowMs)
  return [fault?.kind ?? 'ok', fault?.code ?? null, outcome.kind, outcome.retryAfterMs]
}

describe('an answer of the query service', () => {
  it('with 429 names its wait in Retry-After, in the title of the page, or means a minute', () => {
    const title = page('429 Too Many Requests - Please retry in 3 seconds.')
    const waits = [
      verdict(429, title, { 'retry-after': '7' }),
      verdict(429, title),
      verdict(429, page('429 Too Many Requests - Please retry in 0 seconds.'), {
        'retry-after': '0',
      }),
      verdict(429, ''),
    ].map(([kind, code, outcome, waitMs]) => {
      expect([kind, code, outcome]).toEqual(['throttled', 'too_many_requests', 'throttled'])
      return waitMs
    })
    expect(waits).toEqual([7_000, 3_000, 60_000, 60_000])
  })

  it('B27: "banned until" pauses the run and parks the domain until then', () => {
    const body = page('403 You have been banned until 2026-09-15T20:00:00Z, please respect …')
    for (const status of [403, 429, 200]) {
      expect(verdict(status, body)).toEqual(['endpoint', 'banned', 'throttled', 8 * 3_600_000])
    }
  })

  it.each([
    [500, timeout],
    [500, trace('com.bigdata.bop.engine.QueryTimeoutException: Query deadline is expired.')],
    [200, rows + timeout],
    [200, `${rows}\njava.util.concurrent.TimeoutException`],
    [200, `${rows}\ncom.bigdata.bop.engine.QueryTimeoutException: Query deadline is expired.`],
  ])(
    'status %d with a query that took too long fails the query, not the service',
    (status, body) => {
      expect(verdict(status, body)).toEqual(['transient', 'query_timeout', 'neutral', undefined])
    },
  )

  it('case 26: rows cut off by any other stack trace are no answer, and count as overload', () => {
    const body = rows + trace('java.lang.OutOfMemoryError: GC overhead limit exceeded')
    expect(verdict(200, body).slice(0, 3)).toEqual(['transient', 'truncated_answer', 'overload'])
  })

  it('takes rows that speak of time-outs and traces for rows', () => {
    const text = timeout.replaceAll('\n', String.raw`\n`)
    const body = `${rows}{"x":{"type":"literal","value":"${text}"}}]}}`
    expect(verdict(200, body)).toEqual(['ok', null, 'ok', undefined])
  })

  it('means the same as everywhere otherwise', () => {
    expect(verdict(500, 'oops').slice(0, 3)).toEqual(['transient', 'server_error', 'overload'])
    expect(verdict(504, 'upstream request timeout')[1]).toBe('gateway_timeout')
    expect(verdict(400, 'MalformedQueryException')[1]).toBe('bad_request')
    expect(verdict(503, '', { 'retry-after': '4' })[3]).toBe(4_000)
  })

  it('costs the seconds it took, of which the service allows no more than sixty', () => {
    expect([0, 250, 61_000, -3].map((ms) => sparql.costOf?.(ms))).toEqual([0, 0.25, 60, 0])
    expect(generic.costOf).toBeUndefined()
  })
})
