/** What a service says with 429, through real HTTP and the limiter of a program without Temporal. */
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts'
import { createInProcessPermits } from '../../../src/limiter/in-process-permits.ts'
import type { PermitBroker } from '../../../src/limiter/permit-broker.ts'
import { type FakeService, startFakeService } from '../../support/fake-reconciliation-service.ts'
import { httpScene } from './http-scene.ts'

const DAY_MS = 86_400_000

describe('case 24: a 429', () => {
  it.each([
    ['7', 7_000],
    ['0', undefined],
    [undefined, undefined],
    ['soon', undefined],
    ['86400', DAY_MS],
  ])('case 24: with Retry-After %j asks for %j ms', async (header, retryAfterMs) => {
    const headers = header === undefined ? {} : { 'retry-after': header }
    const { fail, permits } = await httpScene({ status: 429, headers })
    expect(await fail()).toMatchObject({ kind: 'throttled', retryAfterMs })
    expect(permits.granted[0]?.ended).toMatchObject([{ kind: 'throttled', retryAfterMs }])
  })

  it('case 24: with a date asks for the time until then, by the clock of the server', async () => {
    const atMs = Date.UTC(2026, 5, 1, 12)
    const headers = {
      date: new Date(atMs).toUTCString(),
      'retry-after': new Date(atMs + 90_000).toUTCString(),
    }
    const { fail } = await httpScene({ status: 429, headers })
    expect(await fail()).toMatchObject({ retryAfterMs: 90_000 })
  })

  describe('of one domain', () => {
    let permits: PermitBroker
    let http: HttpClient
    const services: FakeService[] = []
    afterEach(async () => {
      await http.close()
      await permits.close()
      await Promise.all(services.splice(0).map((service) => service.close()))
    })

    it('case 24: stops its requests, and none of another domain', async () => {
      permits = createInProcessPermits()
      http = createHttpClient({ permits, contact: undefined, version: '1' })
      const [slow, well] = [
        await startFakeService({ status: 429, headers: { 'retry-after': '3600' } }),
        await startFakeService({ json: {} }),
      ]
      services.push(slow, well)
      const { signal } = new AbortController()
      const ask = ({ url }: FakeService) =>
        http.request({ method: 'GET', url, signal, project: 'project/1' })
      await expect(ask(slow)).rejects.toMatchObject({ code: 'too_many_requests' })
      await expect(ask(slow)).rejects.toMatchObject({ code: 'no_permit_soon' })
      for (let n = 0; n < 5; n++) expect((await ask(well)).status).toBe(200)
      expect(slow.requests).toHaveLength(1)
      expect(well.requests).toHaveLength(5)
    })
  })
})
