import { describe, expect, it } from 'vitest'
import { RedirectWaits } from '../../../src/http/redirect-waits.ts'
import { type Hop, nextHop } from '../../../src/http/redirect.ts'
import type { FakeAnswer } from '../../support/fake-reconciliation-service.ts'
import { httpScene } from './http-scene.ts'

const to = (status: number, location: string): FakeAnswer => ({ status, headers: { location } })

function hop(url: string): Hop {
  return { method: 'GET', url: new URL(url), shown: url, headers: {}, body: undefined }
}

describe('R18: a redirect with Retry-After', () => {
  const later = (wait: string): FakeAnswer => ({
    status: 301,
    headers: { location: '/moved', 'retry-after': wait },
  })

  async function movingScene(answer: FakeAnswer) {
    let nowMs = 1_000_000
    const clocks = { wallMs: () => nowMs, monotonicMs: () => nowMs }
    const scene = await httpScene({ json: {} }, { clocks })
    scene.service.respond(({ path }) => (path === '/reconcile' ? answer : { json: {} }))
    const pass = (ms: number): void => {
      nowMs += ms
    }
    return { ...scene, pass }
  }

  it('ends the call, with the wait for it alone: the domain is not slowed', async () => {
    const { service, permits, ask, fail } = await movingScene(later('30'))
    const told: string[] = []
    const error = await fail({ onExchange: ({ kind }) => told.push(kind) })
    expect(error).toMatchObject({
      kind: 'throttled',
      code: 'redirect_later',
      retryAfterMs: 30_000,
    })
    expect(permits.granted[0]?.ended).toMatchObject([{ kind: 'neutral' }])
    expect(permits.granted[0]?.ended[0]).not.toHaveProperty('retryAfterMs')
    expect(told).toEqual(['redirect'])
    expect((await ask({ url: new URL('/else', service.url).href })).status).toBe(200)
    expect(service.requests.map(({ path }) => path)).toEqual(['/reconcile', '/else'])
  })

  it('is not asked again before its time, and followed for a while after it', async () => {
    const { service, permits, ask, fail, pass } = await movingScene(later('30'))
    await fail()
    pass(10_000)
    expect(await fail()).toMatchObject({ code: 'redirect_later', retryAfterMs: 20_000 })
    expect(service.requests).toHaveLength(1)
    expect(permits.granted).toHaveLength(1)
    pass(20_000)
    expect((await ask()).url).toBe(new URL('/moved', service.url).href)
    expect(permits.kinds()).toEqual(['neutral', 'neutral', 'ok'])
    pass(599_999)
    await Promise.all([ask(), ask()])
    pass(1)
    expect((await fail()).code).toBe('redirect_later')
  })

  it('of two calls on their way together neither follows', async () => {
    const { service, fail } = await movingScene(later('30'))
    const both = await Promise.all([fail(), fail()])
    expect(both.map(({ code }) => code)).toEqual(['redirect_later', 'redirect_later'])
    expect(service.requests.map(({ path }) => path)).toEqual(['/reconcile', '/reconcile'])
  })

  it('is asked again after a day at the latest', async () => {
    const { ask, fail, pass } = await movingScene(later('9999999999'))
    expect((await fail()).retryAfterMs).toBe(86_400_000)
    pass(86_400_000)
    expect((await ask()).status).toBe(200)
  })

  it.each(['0', 'soon'])('%j is followed at once', async (wait) => {
    const { ask } = await movingScene(later(wait))
    expect((await ask()).status).toBe(200)
  })

  it('is forgotten when the address answers by itself', async () => {
    const { service, ask, fail, pass } = await movingScene(later('30'))
    await fail()
    pass(30_000)
    service.respondOnce({ json: {} })
    await ask()
    expect((await fail()).code).toBe('redirect_later')
  })

  it('is remembered of a thousand addresses, not of all there are', () => {
    const waits = new RedirectWaits({ wallMs: () => 0, monotonicMs: () => 0 })
    const address = (i: number) => hop(`http://127.0.0.1/${i}`)
    for (let i = 0; i <= 1_000; i++) {
      expect(() => waits.answered(address(i), 301, { 'retry-after': '9' })).toThrow('not for 9 s')
    }
    expect(() => waits.beforeSending(address(0))).not.toThrow()
    expect(() => waits.beforeSending(address(1))).toThrow('not for 9 s')
  })
})

describe('a redirect', () => {
  it.each([301, 302, 307, 308])(
    'case 21: %d keeps the POST with its body, each hop permitted for its own host',
    async (status) => {
      const target = await httpScene()
      const { service, permits, ask } = await httpScene(to(status, target.service.url))
      const response = await ask({ method: 'POST', body: 'queries=1', headers: { 'X-Key': 'k' } })
      expect(response.url).toBe(target.service.url)
      expect(target.service.requests).toMatchObject([{ method: 'POST', body: 'queries=1' }])
      expect(permits.granted.map(({ domain }) => domain)).toEqual([
        service.domain,
        target.service.domain,
      ])
      expect(permits.kinds()).toEqual(['neutral', 'ok'])
    },
  )

  it('303 makes it a GET', async () => {
    const { service, ask } = await httpScene()
    service.respondOnce(to(303, '/other'))
    await ask({ method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } })
    expect(service.requests[1]).toMatchObject({ method: 'GET', body: '', path: '/other' })
    expect(service.requests[1]?.headers).not.toHaveProperty('content-type')
  })

  it('takes credentials along within an origin only', async () => {
    const target = await httpScene()
    const { service, ask } = await httpScene()
    service.respondOnce(to(307, '/other'), to(307, target.service.url))
    const headers = { authorization: 'Bearer s', 'x-api-key': 's', 'content-type': 'text/plain' }
    await ask({ method: 'POST', body: 'x', headers })
    expect(service.requests[1]?.headers).toMatchObject(headers)
    const arrived = target.service.requests[0]?.headers
    expect(arrived).toMatchObject({ 'content-type': 'text/plain' })
    expect(arrived).not.toHaveProperty('authorization')
    expect(arrived).not.toHaveProperty('x-api-key')
    expect(arrived?.['user-agent']).toContain('record-linker/')
  })

  it('is followed five times, not for ever', async () => {
    const { service, permits, fail } = await httpScene(to(302, '/again'))
    expect(await fail()).toMatchObject({ kind: 'endpoint', code: 'too_many_redirects' })
    expect(service.requests).toHaveLength(6)
    expect(permits.kinds()).toEqual(Array.from({ length: 6 }, () => 'neutral'))
  })

  it.each(['', 'ftp://127.0.0.1/', 'http://a..b/'])('to %j is refused', async (location) => {
    const { fail } = await httpScene(to(301, location))
    expect(await fail()).toMatchObject({ kind: 'endpoint', code: 'bad_redirect' })
  })

  it('to a foreign host needs a contact too', async () => {
    const { fail } = await httpScene(to(301, 'https://www.example.org/'))
    expect((await fail()).code).toBe('contact_required')
  })

  it('from a foreign host into this machine is refused', () => {
    for (const location of ['http://127.0.0.1:5432/', 'http://LOCALHOST./', 'http://[::1]/']) {
      const answer = { status: 302, headers: { location } }
      expect(() => nextHop(hop('https://www.example.org/'), answer, 0)).toThrow(
        expect.objectContaining({ code: 'bad_redirect' }),
      )
      expect(nextHop(hop('http://127.0.0.1/'), answer, 0).method).toBe('GET')
    }
    const outside = { status: 302, headers: { location: 'http://127.example.org/#top' } }
    expect(nextHop(hop('https://www.example.org/'), outside, 0).url.href).toBe(
      'http://127.example.org/',
    )
  })
})
