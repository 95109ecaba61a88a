import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../src/http/exchange-record.ts'
import { sparql } from '../../../src/http/classifiers/domain-classifier.ts'
import { createHttpClient } from '../../../src/http/http-client.ts'
import {
  type FakeAnswer,
  type FakeHandler,
  htmlAnswer,
} from '../../support/fake-reconciliation-service.ts'
import { httpScene } from './http-scene.ts'
import { recordingPermits } from './recording-permits.ts'

describe('a request', () => {
  it('sends what was given, says who asks, and returns the answer with its facts', async () => {
    const { service, permits, ask } = await httpScene(
      { json: { ü: 1 }, headers: { 'x-a': 'b' } },
      { contact: 'me@example.org' },
    )
    const response = await ask({ method: 'POST', body: 'a=%00ü', headers: { 'X-Key': 'k' } })
    expect(response).toMatchObject({ status: 200, bodyText: '{"ü":1}', url: service.url })
    expect(response.headers['x-a']).toBe('b')
    expect(response.latencyMs).toBeGreaterThan(0)
    const [request] = service.requests
    expect(request).toMatchObject({ method: 'POST', body: 'a=%00ü' })
    expect(request?.headers).toMatchObject({ 'x-key': 'k', accept: 'application/json' })
    expect(request?.headers['user-agent']).toMatch(
      /^record-linker\/1\.2\.3 \(me@example\.org\) undici\/\d+\.\d+\.\d+$/,
    )
    expect(permits.granted).toMatchObject([{ domain: service.domain, project: '123' }])
    expect(permits.kinds()).toEqual(['ok'])
    expect(permits.granted[0]?.ended[0]).toHaveProperty('latencyMs', response.latencyMs)
  })

  it.each([
    'https://www.wikidata.org/w/api.php',
    'https://query.wikidata.org/sparql',
    'https://wikidata-reconciliation.wmcloud.org/en/api',
    'https://www.example.org/reconcile',
  ])('case 25: is not sent to %s without a contact, and says how to set one', async (url) => {
    for (const contact of [undefined, '', ' ']) {
      const { permits, fail } = await httpScene({ json: {} }, { contact })
      const error = await fail({ url })
      expect(error).toMatchObject({ name: 'UsageError', code: 'contact_required' })
      expect(error.message).toContain(new URL(url).host)
      expect(error.hint).toContain('RECORD_LINKER_CONTACT=me@example.org')
      expect(permits.granted).toEqual([])
    }
  })

  it('asks for its permit with its project, priority and attempt, for each hop', async () => {
    const { service, permits, ask } = await httpScene()
    service.respondOnce({ status: 307, headers: { location: '/other' } })
    await ask({ priority: 'background', attempt: 3 })
    await ask()
    const { domain } = service
    const retry = { domain, project: '123', priority: 'background', attempt: 3 }
    const first = { domain, project: '123', priority: undefined, attempt: undefined }
    expect(permits.granted).toMatchObject([retry, retry, first])
  })

  it('B25: to one server is counted for one domain, however its address is spelt', async () => {
    const { service, permits, ask } = await httpScene()
    for (const host of ['127.0.0.1', '127.1', '0x7f.0.0.1', '2130706433', '0177.1']) {
      await ask({ url: service.url.replace('127.0.0.1', host) })
    }
    expect(service.requests).toHaveLength(5)
    expect(new Set(permits.granted.map(({ domain }) => domain))).toEqual(new Set([service.domain]))
  })

  it('reports the limits the server publishes with every answer', async () => {
    const headers = { 'ratelimit-policy': '"a";q=30;w=10' }
    const { service, permits, ask, fail } = await httpScene({ json: {}, headers })
    service.respondOnce({ status: 307, headers: { ...headers, location: '/other' } })
    await ask()
    service.respondOnce({ status: 404, headers })
    await fail()
    const published = [{ quota: 30, windowMs: 10_000 }]
    expect(permits.granted.map(({ ended }) => ended[0])).toMatchObject([
      { kind: 'neutral', published },
      { kind: 'ok', published },
      { kind: 'neutral', published },
    ])
  })

  it('costs one where requests are counted, and its seconds where processing is', async () => {
    let nowMs = 0
    const clocks = { wallMs: () => nowMs, monotonicMs: () => nowMs }
    const slowly = { clocks, classifierFor: () => sparql }
    const { service, permits, ask, fail } = await httpScene({ json: {} }, slowly)
    const takes =
      (ms: number, answer: FakeAnswer): FakeHandler =>
      () => {
        nowMs += ms
        return answer
      }
    service.respondOnce(
      takes(2_500, { json: {} }),
      takes(60_000, { status: 500, body: 'java.util.concurrent.TimeoutException' }),
      takes(500, { drop: 'at_once' }),
    )
    await ask()
    await fail()
    await fail()
    expect(permits.granted.map(({ ended }) => ended[0])).toMatchObject([
      { kind: 'ok', cost: 2.5 },
      { kind: 'neutral', cost: 60 },
      { kind: 'failed', cost: 0.5 },
    ])
    const counted = await httpScene()
    await counted.ask()
    expect(counted.permits.granted[0]?.ended[0]).toMatchObject({ kind: 'ok', cost: undefined })
  })

  it('rejects a contact that would break the header', () => {
    for (const contact of ['a\r\nx: y', 'me (home)', 'ü@example.org']) {
      expect(() =>
        createHttpClient({ permits: recordingPermits(), contact, version: '1' }),
      ).toThrow(expect.objectContaining({ code: 'bad_contact' }))
    }
  })

  it.each(['ftp://127.0.0.1/', 'nonsense', 'http://me:secret@127.0.0.1/'])(
    'rejects the address %s without repeating its secrets',
    async (url) => {
      const { fail } = await httpScene()
      const error = await fail({ url })
      expect(error.code).toBe('bad_url')
      expect(error.message).not.toContain('secret')
    },
  )

  it('tells of each exchange, errors included', async () => {
    const { service, ask, fail } = await httpScene()
    const told: Exchange[] = []
    const onExchange = (exchange: Exchange): unknown => told.push(exchange)
    service.respondOnce({ json: {} }, { status: 500, body: 'cell text' })
    await ask({ url: `${service.url}?key=secret`, onExchange })
    const error = await fail({ onExchange })
    expect(told).toMatchObject([
      { kind: 'ok', status: 200, code: null, url: service.url, domain: service.domain },
      { kind: 'transient', status: 500, code: 'server_error', message: error.message },
    ])
  })
})

describe('a refusal', () => {
  it('becomes an error with its facts, the body kept out of the message', async () => {
    const { service, permits, fail } = await httpScene({
      status: 429,
      headers: { 'retry-after': '7' },
      body: `Jane Doe${'x'.repeat(1000)}`,
    })
    const error = await fail()
    expect(error).toMatchObject({
      name: 'OutsideCallError',
      kind: 'throttled',
      code: 'too_many_requests',
      status: 429,
      retryAfterMs: 7_000,
    })
    expect(error.bodyHead).toHaveLength(500)
    expect(error.message).toContain(service.url)
    expect(error.message).not.toContain('Jane')
    expect(permits.granted[0]?.ended).toMatchObject([{ kind: 'throttled', retryAfterMs: 7_000 }])
  })

  it('R18: may have status 200: MediaWiki says so with maxlag, and names a wait', async () => {
    const { permits, fail } = await httpScene({
      json: { error: { code: 'maxlag', info: 'Waiting for a database: 7 seconds lagged' } },
      headers: { 'mediawiki-api-error': 'maxlag', 'retry-after': '5', 'x-database-lag': '7' },
    })
    expect(await fail()).toMatchObject({ kind: 'throttled', code: 'maxlag', retryAfterMs: 5_000 })
    expect(permits.granted[0]?.ended).toMatchObject([{ kind: 'throttled', retryAfterMs: 5_000 }])
  })

  it('R11: names a moment by the clock of its server, an hour off ours', async () => {
    const theirs = Date.now() - 3_600_000
    const headers = {
      date: new Date(theirs).toUTCString(),
      'retry-after': new Date(theirs + 30_000).toUTCString(),
    }
    const { fail } = await httpScene({ status: 503, headers })
    expect((await fail()).retryAfterMs).toBe(30_000)
  })

  it('R17: does not keep the wait of an earlier answer', async () => {
    const { service, fail } = await httpScene()
    service.respondOnce({ status: 429, headers: { 'retry-after': '7' } }, { status: 429 })
    expect((await fail()).retryAfterMs).toBe(7_000)
    expect((await fail()).retryAfterMs).toBeUndefined()
  })

  it('is known by its status even when its body breaks off or is too long', async () => {
    const { service, fail } = await httpScene({ json: {} }, { maxBodyBytes: 100 })
    service.respondOnce(
      { status: 429, body: 'x'.repeat(50), drop: 'in_body' },
      { status: 503, body: 'x'.repeat(500) },
      { status: 404, body: 'x', headers: { 'content-encoding': 'gzip' } },
    )
    const codes = [await fail(), await fail(), await fail()].map(({ code }) => code)
    expect(codes).toEqual(['too_many_requests', 'service_unavailable', 'not_found'])
  })

  it('case 16: an HTML page with 200 is no answer, and its head is kept', async () => {
    const { permits, fail } = await httpScene(htmlAnswer(200, 'Sign in'))
    const error = await fail()
    expect(error).toMatchObject({ kind: 'transient', code: 'html_answer' })
    expect(error.bodyHead).toContain('<title>Sign in</title>')
    expect(permits.kinds()).toEqual(['neutral'])
  })
})

describe('a body', () => {
  it('is decompressed and decoded', async () => {
    const { service, ask } = await httpScene()
    service.respondOnce(
      { body: gzipSync('{"ü":1}'), headers: { 'content-encoding': 'gzip' } },
      {
        body: Buffer.from('{"ü":1}', 'latin1'),
        headers: { 'content-type': 'application/json; charset=ISO-8859-1' },
      },
      { body: '\uFEFF{"ü":1}', headers: { 'content-type': 'application/json; charset=none' } },
    )
    const texts = [await ask(), await ask(), await ask()].map(({ bodyText }) => bodyText)
    expect(texts).toEqual(['{"ü":1}', '{"ü":1}', '{"ü":1}'])
  })

  it('is refused when too long, also when only decompression makes it so', async () => {
    const { service, permits, fail } = await httpScene({ json: {} }, { maxBodyBytes: 10_000 })
    service.respondOnce(
      { body: 'x'.repeat(10_001) },
      { body: gzipSync('x'.repeat(1_000_000)), headers: { 'content-encoding': 'gzip' } },
    )
    for (const error of [await fail(), await fail()]) {
      expect(error).toMatchObject({ kind: 'permanent', code: 'body_too_large' })
    }
    expect(permits.kinds()).toEqual(['neutral', 'neutral'])
  })

  it('is transient when it cannot be decompressed', async () => {
    const { service, fail } = await httpScene()
    service.respondOnce(
      { body: gzipSync('{"a":1}').subarray(0, 15), headers: { 'content-encoding': 'gzip' } },
      { body: 'x', headers: { 'content-encoding': 'zstd' } },
    )
    expect((await fail()).code).toBe('bad_encoding')
    expect((await fail()).code).toBe('bad_encoding')
  })
})
