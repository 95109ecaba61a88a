/** Services that want to know who asks, on real HTTP: the secret arrives where it should and nowhere else. */
import { describe, expect, it } from 'vitest'
import { secretFor } from '../../../../src/http/reconciliation/service-credentials.ts'
import {
  answerEach,
  type FakeRequest,
  manifestAnswer,
} from '../../../support/fake-reconciliation-service.ts'
import { askingScene, numbered } from './asking-scene.ts'

const signal = new AbortController().signal
const SECRET = 'kim:se cret+&='

/** A service with this authentication in its manifest, that answers 401 to whoever has not the secret. */
async function guardedScene(
  authentication: object,
  isKnown: (request: FakeRequest) => boolean,
  secret: string | null = SECRET,
) {
  const credentials: Record<string, string> = {}
  const scene = await askingScene(
    (request) => {
      if (!request.queries) return manifestAnswer(request, { authentication })
      if (!isKnown(request)) return { status: 401, json: { status: 'error' } }
      return answerEach(request, () => [])
    },
    { credentials },
  )
  // The port is known only now.
  if (secret !== null) credentials[scene.service.domain] = secret
  return scene
}

const header = (name: string, value: string) => (request: FakeRequest) =>
  request.headers[name] === value
const basic = `Basic ${Buffer.from(SECRET).toString('base64')}`

describe('credentials', () => {
  it.each([
    ['HTTP basic', { type: 'http', scheme: 'basic' }, header('authorization', basic)],
    [
      'a bearer token',
      { type: 'http', scheme: 'bearer' },
      header('authorization', `Bearer ${SECRET}`),
    ],
    ['OAuth 2', { type: 'oauth2', flows: {} }, header('authorization', `Bearer ${SECRET}`)],
    ['a key in a header', { type: 'apiKey', in: 'header', name: 'X-Key' }, header('x-key', SECRET)],
    [
      'a key in the query',
      { type: 'apiKey', in: 'query', name: 'api_key' },
      ({ path }: FakeRequest) =>
        new URL(path, 'http://x').searchParams.getAll('api_key').join() === SECRET,
    ],
    [
      'a key in a cookie',
      { type: 'apiKey', in: 'cookie', name: 'sid' },
      header('cookie', `sid=${encodeURIComponent(SECRET)}`),
    ],
  ])(
    '%s: are sent with every batch and not for the manifest',
    async (_, authentication, isKnown) => {
      const { client, ask, service, attempts } = await guardedScene(authentication, isKnown)
      const manifest = await client.manifest(signal)
      const { results } = await ask(numbered(4), { batchSize: 2 })
      expect(results.map(({ status }) => status)).toEqual(Array(4).fill('answered'))
      expect(isKnown(service.requests[0] as FakeRequest)).toBe(false)
      // No record of what happened holds it.
      const told = JSON.stringify([manifest, results, attempts])
      for (const form of [SECRET, encodeURIComponent(SECRET), basic]) {
        expect(told).not.toContain(form)
      }
    },
  )

  it('that are not set: the service is not asked, and the run is told what to set for which host', async () => {
    const { client, service } = await guardedScene(
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      () => true,
      null,
    )
    await expect(client.manifest(signal)).rejects.toMatchObject({
      kind: 'endpoint',
      code: 'credentials_missing',
      message: `${service.domain} wants a key (header "x-key"); none is set for this host.`,
      hint: expect.stringContaining(`RECORD_LINKER_CREDENTIALS='{"${service.domain}": "…"}'`),
    })
    expect(service.requests).toHaveLength(1)
  })

  it('that are wrong: the run pauses, and the error does not repeat them', async () => {
    const { client, fail } = await guardedScene({ type: 'http', scheme: 'basic' }, () => false)
    await client.manifest(signal)
    const error = await fail(numbered(1))
    expect(error).toMatchObject({ kind: 'endpoint', code: 'unauthorised' })
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain(SECRET)
  })

  it('do not go to a service that asks for none', async () => {
    const { client, ask, service } = await guardedScene({ foo: 'bar' }, () => true)
    await client.manifest(signal)
    await ask(numbered(1))
    expect(service.requests[1]?.headers).not.toHaveProperty('authorization')
  })

  it.each([
    { type: 'http', scheme: 'basic' },
    { type: 'apiKey', in: 'query', name: 'api_key' },
  ])('of one host do not follow a redirect to another: %j', async (authentication) => {
    const other = await askingScene((request) => answerEach(request, () => []))
    const { client, ask, service } = await guardedScene(authentication, () => true)
    await client.manifest(signal)
    service.respond({ status: 307, headers: { location: other.service.url } })
    // The first follows the redirect, the second goes there at once.
    await ask(numbered(1))
    await ask(numbered(1))
    expect(other.service.requests).toHaveLength(2)
    for (const { headers, path } of other.service.requests) {
      expect(headers).not.toHaveProperty('authorization')
      expect(path).toBe('/reconcile')
    }
  })

  it('do not cross a network unencrypted', () => {
    const credentials = { 'service.example.org': SECRET, '127.0.0.1:8000': SECRET }
    expect(secretFor(credentials, 'https://service.example.org/a')).toBe(SECRET)
    expect(secretFor(credentials, 'http://127.0.0.1:8000/a')).toBe(SECRET)
    expect(secretFor(credentials, 'https://other.example.org/a')).toBeUndefined()
    expect(() => secretFor(credentials, 'http://service.example.org/a')).toThrow(
      expect.objectContaining({ kind: 'endpoint', code: 'credentials_unencrypted' }),
    )
  })
})
