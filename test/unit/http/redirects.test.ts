import { describe, expect, it } from 'vitest'
import { type Hop, nextHop } from '../../../src/http/redirect.ts'
import type { FakeAnswer } from '../../support/fake-reconciliation-service.ts'
import { httpScene } from './http-scene.ts'

const to = (status: number, location: string): FakeAnswer => ({ status, headers: { location } })

function hop(url: string): Hop {
  return { method: 'GET', url: new URL(url), headers: {}, body: undefined }
}

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
