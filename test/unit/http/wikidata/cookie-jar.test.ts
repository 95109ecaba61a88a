import { expect, it } from 'vitest'
import { createCookieJar } from '../../../../src/http/wikidata/cookie-jar.ts'
import { fakeWikidata } from '../../../support/fake-wikidata.ts'
import type { FakeHandler } from '../../../support/fake-reconciliation-service.ts'
import { wikidataScene } from './wikidata-scene.ts'

const call = { action: 'query', list: 'search', srsearch: 'x' }
const setting: FakeHandler = async (request) => ({
  ...(await fakeWikidata([])(request)),
  headers: { 'set-cookie': 'session=abc123; Path=/; Secure; HttpOnly' },
})

it('cookies are kept with a token, and only then', async () => {
  const known = await wikidataScene(setting, { accessToken: 'secret-token' })
  await known.call(call)
  await known.call(call)
  expect(known.service.requests.map(({ headers }) => headers['cookie'])).toEqual([
    undefined,
    'session=abc123',
  ])
  const unknown = await wikidataScene(setting)
  await unknown.call(call)
  await unknown.call(call)
  expect(unknown.service.requests[1]?.headers['cookie']).toBeUndefined()
})

it('a later one replaces an earlier one, and ends when it says', () => {
  let now = Date.parse('2026-11-28T12:00:00Z')
  const jar = createCookieJar(() => now)
  const keep = (...texts: readonly string[]) => jar.keep({ 'set-cookie': texts })
  expect(jar.header()).toBeUndefined()
  keep('a=1; Max-Age=60', 'b=2; Expires=Sat, 28 Nov 2026 12:00:30 GMT; Secure', 'c=3')
  keep('c=4')
  expect(jar.header()).toBe('a=1; b=2; c=4')
  now += 40_000
  expect(jar.header()).toBe('a=1; c=4')
  keep('c=; Max-Age=0')
  expect(jar.header()).toBe('a=1')
})

it('what is no cookie, or too much, is left out', () => {
  const jar = createCookieJar(() => 0)
  jar.keep({ 'set-cookie': ['nonsense', '=x', `long=${'x'.repeat(5_000)}`] })
  expect(jar.header()).toBeUndefined()
  jar.keep({ 'set-cookie': Array.from({ length: 50 }, (_, index) => `n${index}=1`) })
  expect(jar.header()?.split('; ')).toHaveLength(20)
})
