/**
 * What RFC 9111 says of storing and using again. Named by their ids in the tests of caches at
 * https://cache-tests.fyi where there is one, else by section.
 */
import { describe, expect, it } from 'vitest'
import {
  freshen,
  mayServeOnError,
  reuse,
  storable,
} from '../../../../src/core/download/cache-decision.ts'
import type { AnyHeaders } from '../../../../src/core/download/cache-headers.ts'

const NOW_MS = Date.UTC(2026, 5, 1, 12)
/** What the tests pause between two requests. */
const PAUSE_MS = 3_000
const DAY_S = 86_400
const url = 'https://example.org/a.pdf'

/** @param s from now */
const date = (s: number) => new Date(NOW_MS + s * 1000).toUTCString()

function asked(headers: AnyHeaders, request: AnyHeaders = {}, status = 200, afterMs = PAUSE_MS) {
  const kept = storable({ url, headers: request }, { status, headers }, NOW_MS)
  if (kept === undefined) return 'not stored'
  return reuse({ url, headers: request }, kept, {}, NOW_MS + afterMs).kind
}

const cases: Readonly<Record<'cached' | 'not_cached', Readonly<Record<string, AnyHeaders>>>> = {
  cached: {
    'freshness-max-age': { 'Cache-Control': 'max-age=3600' },
    'freshness-max-age-quoted': { 'Cache-Control': 'max-age="3600"' },
    'freshness-max-age-max': { 'Cache-Control': 'max-age=2147483648' },
    'freshness-max-age-max-plus': { 'Cache-Control': 'max-age=99999999999' },
    'freshness-max-age-expires': {
      'Cache-Control': 'max-age=3600',
      Expires: date(-10_000),
      Date: date(0),
    },
    'freshness-max-age-expires-invalid': {
      'Cache-Control': 'max-age=3600',
      Expires: '0',
      Date: date(0),
    },
    'freshness-max-age-extension': { 'Cache-Control': 'foobar, max-age=3600' },
    'freshness-max-age-case-insenstive': { 'Cache-Control': 'MaX-aGe=3600' },
    'freshness-expires-future': { Expires: date(30 * DAY_S), Date: date(0) },
    'freshness-expires-wrong-case-weekday': {
      Expires: 'THU, 18 Aug 2050 02:01:18 GMT',
      Date: date(0),
    },
    'freshness-expires-wrong-case-tz': { Expires: 'Thu, 18 Aug 2050 02:01:18 gMT', Date: date(0) },
    'freshness-expires-invalid-date': { Date: 'foo', Expires: date(10) },
    'heuristic-delta-86400': { 'Last-Modified': date(-DAY_S), Date: date(0) },
    'age-parse-nonnumeric': { Date: date(0), 'Cache-Control': 'max-age=3600', Age: 'abc' },
    'age-parse-negative': { Date: date(0), 'Cache-Control': 'max-age=3600', Age: '-7200' },
    '5.2.2.2: must-revalidate is for what is stale': {
      'Cache-Control': 'max-age=3600, must-revalidate',
    },
    '5.2.2.7: private is what this cache is': { 'Cache-Control': 'private, max-age=3600' },
  },
  not_cached: {
    'freshness-none': {},
    'freshness-max-age-single-quoted': { 'Cache-Control': "max-age='3600'" },
    'freshness-max-age-ignore-quoted': { 'Cache-Control': 'extension="max-age=100", max-age=1' },
    'freshness-max-age-ignore-quoted-rev': {
      'Cache-Control': 'max-age=1, extension="max-age=100"',
    },
    'the same with commas in the quotes': { 'Cache-Control': 'extension="a, max-age=100, b"' },
    'freshness-max-age-space-before-equals': { 'Cache-Control': 'max-age =100' },
    'freshness-max-age-space-after-equals': { 'Cache-Control': 'max-age= 100' },
    'freshness-max-age-0': { 'Cache-Control': 'max-age=0' },
    'freshness-max-age-a100': { 'Cache-Control': 'max-age=a100' },
    'freshness-max-age-100a': { 'Cache-Control': 'max-age=100a' },
    'freshness-max-age-negative': { 'Cache-Control': 'max-age=-100' },
    'freshness-max-age-age': { Date: date(0), 'Cache-Control': 'max-age=10', Age: '15' },
    'freshness-max-age-0-expires': {
      Expires: date(10_000),
      'Cache-Control': 'max-age=0',
      Date: date(0),
    },
    'freshness-max-age-s-maxage-private': { 'Cache-Control': 's-maxage=3600, max-age=1' },
    'freshness-max-age-s-maxage-private-multiple': {
      'Cache-Control': ['s-maxage=3600', 'max-age=1'],
    },
    'freshness-expires-past': { Expires: date(-30 * DAY_S), Date: date(0) },
    'freshness-expires-present': { Expires: date(0), Date: date(0) },
    'freshness-expires-old-date': { Expires: date(300), Date: date(400) },
    'freshness-expires-invalid': { Expires: '0', Date: date(0) },
    'freshness-expires-invalid-utc': { Expires: 'Thu, 18 Aug 2050 02:01:18 UTC', Date: date(0) },
    'freshness-expires-invalid-2-digit-year': {
      Expires: 'Thu, 18 Aug 50 02:01:18 GMT',
      Date: date(0),
    },
    'freshness-expires-invalid-date-dashes': {
      Expires: 'Thu, 18-Aug-2050 02:01:18 GMT',
      Date: date(0),
    },
    'freshness-expires-age-slow-date': { Date: date(-10), Expires: date(10), Age: '25' },
    'freshness-expires-age-fast-date': { Date: date(10), Expires: date(20), Age: '15' },
    '4.2.3: as old as its date says': { Date: date(-7_200), 'Cache-Control': 'max-age=3600' },
    '4.2.1: of two the shorter': { 'Cache-Control': 'max-age=1, max-age=3600' },
    '5.2.2.4: no-cache': { 'Cache-Control': 'no-cache, max-age=3600' },
    '5.2.2.5: no-store in any case': { 'Cache-Control': 'No-Store, max-age=3600' },
    '5.4: Pragma': { Pragma: 'no-cache', Expires: date(3_600), Date: date(0) },
    'vary-syntax-star': { 'Cache-Control': 'max-age=3600', Vary: '*' },
    'vary-syntax-star-star-lines': { 'Cache-Control': 'max-age=3600', Vary: ['*', '*'] },
    'vary-syntax-empty-star': { 'Cache-Control': 'max-age=3600', Vary: ', *' },
    'vary-syntax-foo-star': { 'Cache-Control': 'max-age=3600', Vary: 'Foo, *' },
  },
}

describe('an answer is used again without asking', () => {
  it.each(Object.entries(cases.cached))('%s', (_id, headers) => {
    expect(asked(headers)).toBe('fresh')
  })
})

describe('an answer is not used again without asking', () => {
  it.each(Object.entries(cases.not_cached))('%s', (_id, headers) => {
    expect(['none', 'revalidate', 'not stored']).toContain(asked(headers))
  })
})

describe('only whole answers are stored (rule 38)', () => {
  it.each([206, 201, 204, 304, 404, 410, 500])('not one of status %i', (status) => {
    expect(asked({ 'Cache-Control': 'public, max-age=3600' }, {}, status)).toBe('not stored')
  })

  it('nor what was asked for in part, or with the wish not to store it', () => {
    const headers = { 'Cache-Control': 'max-age=3600' }
    expect(asked(headers, { Range: 'bytes=0-9' })).toBe('not stored')
    expect(asked(headers, { 'Cache-Control': 'no-store' })).toBe('not stored')
  })
})

describe('a guess of freshness', () => {
  const days = (count: number) => ({ 'Last-Modified': date(-count * DAY_S), Date: date(0) })
  it('is a tenth of the age of the file', () => {
    expect(asked(days(10), {}, 200, 0.99 * DAY_S * 1000)).toBe('fresh')
    expect(asked(days(10), {}, 200, 1.01 * DAY_S * 1000)).toBe('revalidate')
  })
  it('is 7 days at the most', () => {
    expect(asked(days(3_650), {}, 200, 6.99 * DAY_S * 1000)).toBe('fresh')
    expect(asked(days(3_650), {}, 200, 7.01 * DAY_S * 1000)).toBe('revalidate')
  })
  it('what is stated may be longer', () => {
    const year = { 'Cache-Control': `max-age=${365 * DAY_S}` }
    expect(asked(year, {}, 200, 300 * DAY_S * 1000)).toBe('fresh')
  })
})

describe('an answer to a request with secrets', () => {
  const secrets = [{ Authorization: 'Bearer x' }, { 'X-Api-Key': 'x' }, { Cookie: 'session=x' }]
  const fresh = { Expires: date(30 * DAY_S), Date: date(0) }
  it.each(secrets)('other-authorization: it is not stored (%o)', (request) => {
    expect(asked(fresh, request)).toBe('not stored')
  })
  it.each([
    ['other-authorization-public', 'max-age=3600, public'],
    ['other-authorization-must-revalidate', 'max-age=3600, must-revalidate'],
  ])('%s: it is when it says that it may', (_id, directives) => {
    expect(asked({ 'Cache-Control': directives }, { Authorization: 'Bearer x' })).toBe('fresh')
  })
  it('does not get into the store when it varies on the secret, and no secret ever does', () => {
    const headers = {
      'Cache-Control': 'public, max-age=3600',
      Vary: 'Accept, Authorization',
      'Set-Cookie': 'session=hidden',
      'X-Signed': 'hidden',
    }
    const request = { Authorization: 'Bearer hidden', Accept: 'a/b' }
    expect(asked(headers, request)).toBe('not stored')
    const kept = storable(
      { url: 'https://user:hidden@example.org/?token=hidden', headers: request },
      { status: 200, headers: { ...headers, Vary: 'Accept' } },
      NOW_MS,
    )
    expect(JSON.stringify(kept)).toContain('a/b')
    expect(JSON.stringify(kept)).not.toMatch(/hidden|token/)
  })
})

describe('what a command wishes (rule 39)', () => {
  const kept = storable(
    { url },
    { status: 200, headers: { 'Cache-Control': 'max-age=3600', ETag: '"1"' } },
    NOW_MS,
  )
  const use = (wishes: Parameters<typeof reuse>[2], afterMs: number, headers: AnyHeaders = {}) =>
    kept && reuse({ url, headers }, kept, wishes, NOW_MS + afterMs).kind
  it('force asks whatever there is; max-age asks for what is older; offline asks nothing', () => {
    expect(use({}, 1_000)).toBe('fresh')
    expect(use({ force: true }, 1_000)).toBe('none')
    expect(use({ maxAgeMs: 60_000 }, 59_000)).toBe('fresh')
    expect(use({ maxAgeMs: 60_000 }, 61_000)).toBe('revalidate')
    expect(use({ offline: true }, 1_000)).toBe('fresh')
    expect(use({ offline: true }, 4_000_000)).toBe('stale')
  })
  it('a plan may ask anew itself', () => {
    expect(use({}, 1_000, { 'Cache-Control': 'no-cache' })).toBe('revalidate')
    expect(use({}, 1_000, { Pragma: 'no-cache' })).toBe('revalidate')
    expect(use({}, 1_000, { 'Cache-Control': 'max-age=0' })).toBe('revalidate')
  })
})

describe('a server that says nothing changed (4.3.4)', () => {
  const first = {
    'Cache-Control': 'max-age=1',
    ETag: '"1"',
    'Last-Modified': date(-DAY_S),
    Age: '1',
  }
  const made = storable({ url }, { status: 200, headers: first }, NOW_MS)
  const laterMs = NOW_MS + 100_000
  const after304 = (headers: AnyHeaders, stored = made) =>
    stored && freshen({ url }, stored.policy, { headers }, laterMs)

  it('is asked with both validators', () => {
    expect(made && reuse({ url }, made, {}, laterMs)).toEqual({
      kind: 'revalidate',
      conditional: { 'if-none-match': '"1"', 'if-modified-since': first['Last-Modified'] },
    })
  })
  it('304-etag-update-stored-Cache-Control: it is fresh anew, and as long as is said now', () => {
    const fresh = after304({ 'Cache-Control': 'max-age=3600', ETag: '"1"' })
    expect(fresh).toMatchObject({ freshUntilMs: laterMs + 3_600_000 })
  })
  it('304-lm-update-stored-Expires: a new header counts, though the first answer had none', () => {
    const old = storable(
      { url },
      { status: 200, headers: { 'Last-Modified': date(-1), Date: date(0) } },
      NOW_MS,
    )
    const fresh = after304({ Expires: date(4_000), Date: date(100) }, old)
    expect(fresh).toMatchObject({ freshUntilMs: NOW_MS + 4_000_000 })
  })
  it('its old age does not count any more, and silence about validators is consent', () => {
    expect(after304({})).toMatchObject({ freshUntilMs: laterMs + 1_000 })
    expect(after304({ ETag: 'W/"1"' })).toMatchObject({ freshUntilMs: laterMs + 1_000 })
  })
  it('what it says of a length or a type is not about the body that we have', () => {
    const fresh = after304({ 'Content-Length': '0', 'Content-Type': 'text/html', ETag: '"1"' })
    expect(JSON.stringify(fresh)).not.toMatch(/content-length|text\/html/)
  })
  it('another validator is another answer; a wish not to store it ends it', () => {
    expect(after304({ ETag: '"2"' })).toBe('other')
    expect(after304({ 'Last-Modified': date(-5) }, storedWithDate())).toBe('other')
    expect(after304({ 'Cache-Control': 'no-store' })).toBe('bypass')
  })
  const storedWithDate = () =>
    storable({ url }, { status: 200, headers: { 'Last-Modified': date(-DAY_S) } }, NOW_MS)
})

describe('a server that fails (RFC 5861, 4)', () => {
  const stored = (directives: string) =>
    storable({ url }, { status: 200, headers: { 'Cache-Control': directives } }, NOW_MS)
  const served = (directives: string, status: number | null, afterS: number) => {
    const kept = stored(directives)
    return kept && mayServeOnError(kept, status, NOW_MS + afterS * 1000)
  }
  it('is stood in for as long as the answer said', () => {
    for (const status of [500, 502, 503, 504, null]) {
      expect(served('max-age=10, stale-if-error=60', status, 69)).toBe(true)
      expect(served('max-age=10, stale-if-error=60', status, 71)).toBe(false)
    }
  })
  it('is not when the answer did not say so, forbids it, or it was no failure', () => {
    expect(served('max-age=10', 503, 11)).toBe(false)
    expect(served('max-age=10, stale-if-error=60, must-revalidate', 503, 11)).toBe(false)
    expect(served('no-cache, stale-if-error=60', 503, 1)).toBe(false)
    expect(served('max-age=10, stale-if-error=60', 404, 11)).toBe(false)
    expect(served('max-age=10, stale-if-error=60', 429, 11)).toBe(false)
  })
})

it('an answer that redirects led to is asked for each time, as the way may be another by then', () => {
  const headers = { 'Cache-Control': 'max-age=3600', ETag: '"1"' }
  const kept = storable({ url }, { status: 200, headers, isRedirected: true }, NOW_MS)
  expect(kept && reuse({ url }, kept, {}, NOW_MS + 1).kind).toBe('revalidate')
})
