import type { lookup } from 'node:dns'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FetchSite, openFetchSite } from '../../support/fetch-site.ts'
import { type FileOrigin, sha256, someBytes, startFileOrigin } from '../../support/file-origin.ts'

let origin: FileOrigin
let other: FileOrigin
let site: FetchSite
const file = someBytes(50_000)

beforeEach(async () => {
  origin = await startFileOrigin()
  other = await startFileOrigin('127.0.0.2')
  site = await openFetchSite({}, { guard: { allowed: ['127.0.0.1', '127.0.0.2'] } })
})
afterEach(async () => {
  await site.close()
  await origin.close()
  await other.close()
})

/** A resolver that answers each time with the next address, the last one for ever. */
function resolving(...addresses: readonly string[]): typeof lookup {
  const left = [...addresses]
  const answer = (_: string, __: object, done: (...result: readonly unknown[]) => void): void => {
    const address = (left.length > 1 ? left.shift() : left[0]) ?? ''
    done(null, [{ address, family: address.includes(':') ? 6 : 4 }])
  }
  return answer as unknown as typeof lookup
}

it('case 8 and rule 14: a HEAD that is refused, or hangs, decides nothing', async () => {
  for (const status of [400, 403, 404, 405, 501, 503]) {
    origin.script(`/${status}`, [{ status }, { body: file }])
    const got = await site.get({ url: origin.url(`/${status}`), needsHead: true })
    expect(got.sha256).toBe(sha256(file))
    expect(origin.requests(`/${status}`).map(({ method }) => method)).toEqual(['HEAD', 'GET'])
  }
  expect(site.permits).toHaveLength(12)
  const hasty = await openFetchSite({ headersMs: 300 })
  origin.script('/hangs', [{ hang: true }, { body: file }])
  expect((await hasty.get({ url: origin.url('/hangs'), needsHead: true })).bytes).toBe(file.length)
  expect(hasty.permits.map(({ ended }) => ended)).toEqual(['overload', 'ok'])
  await hasty.close()
})

it('rule 14: a HEAD that tells a length beyond the limit saves the GET', async () => {
  const small = await openFetchSite({ maxBytes: 1_000 })
  origin.serve('/a', { body: file })
  expect((await small.failure({ url: origin.url('/a'), needsHead: true })).reason).toBe('too-large')
  expect(origin.requests('/a').map(({ method }) => method)).toEqual(['HEAD'])
  await small.close()
})

it('case 10 and rule 7: credentials stay with their host, and both hosts count the hop', async () => {
  origin.serve('/api', {
    status: 302,
    headers: { location: other.url('/stored?X-Amz-Signature=1') },
  })
  other.serve('/stored', ({ headers }) =>
    headers.authorization === undefined ? { body: file } : { status: 400 },
  )
  const headers = { Authorization: 'Bearer secret', 'X-Api-Key': 'secret', Accept: 'image/*' }
  const got = await site.get({ url: origin.url('/api'), headers })
  expect(got.sha256).toBe(sha256(file))
  const [first] = origin.requests()
  const [second] = other.requests()
  expect([first?.headers.authorization, first?.headers['x-api-key']]).toEqual([
    'Bearer secret',
    'secret',
  ])
  expect(JSON.stringify(second?.headers)).not.toContain('secret')
  expect(second?.headers.accept).toBe('image/*')
  expect(site.permits.map(({ domain }) => domain)).toEqual([
    `127.0.0.1:${origin.port}`,
    `127.0.0.2:${other.port}`,
  ])
  expect(got.finalUrl).toBe(other.url('/stored'))
  expect(site.exchanges.map(({ kind }) => kind)).toEqual(['redirect', 'ok'])
})

it('rule 7: a signed address of the same host gets no credentials of ours either', async () => {
  origin.serve('/api', { status: 302, headers: { location: '/stored?X-Amz-Signature=1' } })
  origin.serve('/stored', { body: file })
  await site.get({ url: origin.url('/api'), headers: { authorization: 'Bearer secret' } })
  expect(origin.requests('/stored')[0]?.headers.authorization).toBeUndefined()
})

it('rule 27: proxies of the environment are not used: behind one nobody could tell which address is called', async () => {
  origin.serve('/direct', { body: 'without a proxy' })
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9')
  vi.stubEnv('http_proxy', 'http://127.0.0.1:9')
  expect((await site.get({ url: origin.url('/direct') })).content.toString()).toBe(
    'without a proxy',
  )
  vi.unstubAllEnvs()
})

it('rule 31: cookies are not kept', async () => {
  origin.serve('/a', { status: 302, headers: { location: '/b', 'set-cookie': 'a=1' } })
  origin.serve('/b', { body: file })
  await site.get({ url: origin.url('/a') })
  expect(origin.requests('/b')[0]?.headers.cookie).toBeUndefined()
})

it('rule 6: loops, long chains and other schemes end', async () => {
  origin.serve('/a', { status: 302, headers: { location: '/b' } })
  origin.serve('/b', { status: 302, headers: { location: '/a#again' } })
  expect((await site.failure({ url: origin.url('/a') })).reason).toBe('redirect-loop')
  for (let n = 0; n < 12; n++) {
    origin.serve(`/n${n}`, { status: 307, headers: { location: `/n${n + 1}` } })
  }
  expect((await site.failure({ url: origin.url('/n0') })).reason).toBe('too-many-redirects')
  expect(origin.requests('/n10')).toHaveLength(1)
  expect(origin.requests('/n11')).toHaveLength(0)
  origin.serve('/f', { status: 302, headers: { location: 'file:///etc/passwd' } })
  expect((await site.failure({ url: origin.url('/f') })).reason).toBe('bad-redirect')
})

it.each([
  'http://10.0.0.1/',
  'http://2130706433:80/',
  'http://0x7f.0.0.3/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::7f00:3]/',
  'http://[64:ff9b::a00:1]/',
  'http://[2002:a00:1::]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fe80::1]/',
])('case 15 and rule 26: a literal address that is not public is not called (%s)', async (url) => {
  const strict = await openFetchSite({}, { guard: { allowed: [] } })
  const failure = await strict.failure({ url })
  expect([failure.reason, failure.kind]).toEqual(['blocked-address', 'permanent'])
  expect(strict.permits).toEqual([])
  await strict.close()
})

it('case 15: a name of a private address, and a redirect to one, are refused before a byte is sent', async () => {
  const guard = { allowed: ['127.0.0.1'], lookup: resolving('127.0.0.2') }
  const guarded = await openFetchSite({}, { guard })
  const failure = await guarded.failure({ url: `http://files.example:${other.port}/a` })
  expect(failure.reason).toBe('blocked-address')
  expect(guarded.permits.map(({ ended }) => ended)).toEqual(['given back'])
  origin.serve('/r', { status: 302, headers: { location: 'http://169.254.169.254/latest' } })
  expect((await guarded.failure({ url: origin.url('/r') })).reason).toBe('blocked-address')
  origin.serve('/s', { status: 302, headers: { location: other.url('/a') } })
  expect((await guarded.failure({ url: origin.url('/s') })).reason).toBe('blocked-address')
  expect(other.requests()).toEqual([])
  await guarded.close()
})

it('case 15: a name that answers publicly first and privately then is refused the second time', async () => {
  const guard = { allowed: ['127.0.0.1'], lookup: resolving('127.0.0.1', '127.0.0.2') }
  const guarded = await openFetchSite({}, { guard })
  origin.serve('/a', { body: file, headers: { connection: 'close' } })
  const plan = { url: `http://files.example:${origin.port}/a` }
  expect((await guarded.get(plan)).sha256).toBe(sha256(file))
  expect((await guarded.failure(plan)).reason).toBe('blocked-address')
  expect(origin.requests()).toHaveLength(1)
  await guarded.close()
})

it('rule 26: ports besides the usual ones are called where they are allowed', async () => {
  const guarded = await openFetchSite({}, { guard: { allowed: [] } })
  expect((await guarded.failure({ url: 'http://93.184.216.34:6379/' })).reason).toBe('blocked-port')
  await guarded.close()
})

it.each([
  ['120', 120_000, false],
  ['7200', 7_200_000, true],
  ['1000000000', 86_400_000, true],
  ['0', undefined, false],
  ['-5', undefined, false],
  ['soon', undefined, false],
])('case 18 and rule 12: Retry-After %s', async (retryAfter, waitMs, parks) => {
  for (const status of [429, 503]) {
    origin.serve('/a', { status, headers: { 'retry-after': retryAfter } })
    const failure = await site.failure({ url: origin.url('/a') })
    expect(failure).toMatchObject({ kind: 'throttled', retryAfterMs: waitMs, parks, status })
  }
  other.serve('/a', { body: file })
  expect((await site.get({ url: other.url('/a') })).bytes).toBe(file.length)
})

it('case 18: Retry-After as a date is counted by the clock of the host', async () => {
  const date = 'Wed, 01 Jan 2025 00:00:00 GMT'
  const headers = { date, 'retry-after': 'Wed, 01 Jan 2025 00:01:30 GMT' }
  origin.serve('/a', { status: 429, headers })
  expect((await site.failure({ url: origin.url('/a') })).retryAfterMs).toBe(90_000)
})

it('rule 30: bodies of redirects and refusals do not block their connection', async () => {
  origin.serve('/a', { status: 302, headers: { location: '/b' }, body: file })
  origin.serve('/b', { status: 404, body: file })
  for (let n = 0; n < 5; n++) {
    expect((await site.failure({ url: origin.url('/a') })).reason).toBe('not-found')
  }
})

it('rule 33: nobody but this machine is asked without a contact', async () => {
  const nameless = await openFetchSite({}, { contact: undefined })
  await expect(nameless.fetch({ url: 'https://files.example/a' })).rejects.toMatchObject({
    code: 'contact_required',
  })
  origin.serve('/a', { body: file })
  expect((await nameless.get({ url: origin.url('/a') })).bytes).toBe(file.length)
  await nameless.close()
})

it('rule 34: headers that are too long end it for good', async () => {
  origin.serve('/a', { headers: { 'x-long': 'x'.repeat(20_000) }, body: file })
  const failure = await site.failure({ url: origin.url('/a') })
  expect([failure.reason, failure.kind]).toEqual(['headers-too-large', 'permanent'])
})

it('rule 32: what a host asks of robots is honoured where that is wanted', async () => {
  origin.serve('/a', { headers: { 'x-robots-tag': 'noai' }, body: file })
  const plan = { url: origin.url('/a') }
  expect((await site.failure({ ...plan, honourRobotsTag: true })).reason).toBe('robots-refused')
  expect((await site.get(plan)).bytes).toBe(file.length)
})
