import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ceilingAt, hearLimits } from '../../../src/core/limiter/published-ceiling.ts'
import { publishedLimits } from '../../../src/http/published-limits.ts'

const nowMs = Date.UTC(2026, 8, 15, 12)
const date = new Date(nowMs).toUTCString()

type Headers = Readonly<Record<string, string>>
const limits = (headers: Headers): unknown => publishedLimits(headers, nowMs)
const left = (remaining: number, resetMs: number): unknown => [
  { quota: 0, windowMs: 0, remaining, resetMs },
]

describe('RateLimit-Policy and RateLimit of the IETF draft', () => {
  it('are joined by the name of the policy', () => {
    const headers = {
      'ratelimit-policy': '"permin";q=50;w=60,"perhr";q=1000;w=3600;acme-burst=3',
      ratelimit: '"perhr";r=12;t=900, "other";r=5;t=10',
    }
    expect(limits(headers)).toEqual([
      { quota: 50, windowMs: 60_000 },
      { quota: 1000, windowMs: 3_600_000, remaining: 12, resetMs: 900_000 },
      { quota: 0, windowMs: 0, remaining: 5, resetMs: 10_000 },
    ])
  })

  it('stand alone too', () => {
    expect(limits({ 'ratelimit-policy': '"a";q=100;w=10' })).toEqual([
      { quota: 100, windowMs: 10_000 },
    ])
    expect(limits({ ratelimit: '"default";r=50;t=30' })).toEqual(left(50, 30_000))
    expect(limits({ ratelimit: '"a";r=0;t=30' })).toEqual(left(0, 30_000))
  })

  it('keep partitions apart', () => {
    const headers = {
      'ratelimit-policy': '"u";q=100;w=60;pk=:cHsdsRa894==:',
      ratelimit: '"u";r=1;t=5;pk=:QXBwLTk5OQ==:, "u";r=7;t=6;pk=:cHsdsRa894==:',
    }
    expect(limits(headers)).toEqual([
      { quota: 100, windowMs: 60_000, remaining: 7, resetMs: 6_000 },
      { quota: 0, windowMs: 0, remaining: 1, resetMs: 5_000 },
    ])
  })

  it('count requests only: a policy of other units takes its remainder along', () => {
    const headers = {
      'ratelimit-policy':
        '"b";q=65535;qu="content-bytes";w=10, "c";q=4;qu="concurrent-requests", "r";q=9;qu="requests";w=3',
      ratelimit: '"b";r=1;t=10, "c";r=0;t=99, "r";r=2;t=1',
      'x-ratelimit-limit': '7;w=1',
    }
    expect(limits(headers)).toEqual([{ quota: 9, windowMs: 3_000, remaining: 2, resetMs: 1_000 }])
    expect(limits({ 'ratelimit-policy': '"b";q=5;qu="content-bytes";w=10' })).toBeUndefined()
  })

  it('the trap of the draft: a full quota with a short reset does not raise the rate', () => {
    const headers = {
      'ratelimit-policy': '"somepolicy";q=10000;w=1000',
      ratelimit: '"somepolicy";r=10000;t=10',
    }
    const found = publishedLimits(headers, nowMs) ?? []
    expect(found).toEqual([
      { quota: 10_000, windowMs: 1_000_000, remaining: 10_000, resetMs: 10_000 },
    ])
    expect(ceilingAt(hearLimits(null, found, 0), 0)).toBeLessThanOrEqual(10)
  })

  it.each([
    '"a";q=-1;w=10',
    '"a";q=1.5;w=10',
    '"a";q="5";w=10',
    '"a";w=10',
    '"a";q=5',
    '"a";q=5;w=0',
    '"a";q=5;w=-1',
    '"a";q=0;w=10',
    'token;q=5;w=10',
    '("a" "b");q=5;w=10',
    '"a";q=5;w=10,',
    '"a" ;q=5;w=10',
    '"a";q=5;w=2678401',
    '"a";q=1e3;w=10',
    'q=5;w=10',
    '',
  ])('RateLimit-Policy: %s is ignored', (field) => {
    expect(limits({ 'ratelimit-policy': field })).toBeUndefined()
  })

  it.each([
    '"a";r=-1;t=5',
    'token;r=1;t=5',
    '"a";r=5',
    '"a";t=5',
    '"a";r=5;t=0',
    '"a";r=5;t=99999999',
  ])('RateLimit: %s is ignored', (field) => {
    expect(limits({ ratelimit: field })).toBeUndefined()
  })

  it('are read as they were up to version 7 of the draft', () => {
    const policy = { 'ratelimit-policy': '100;w=60;comment="per minute"' }
    const expected = [{ quota: 100, windowMs: 60_000, remaining: 40, resetMs: 20_000 }]
    expect(limits({ ...policy, ratelimit: 'limit=100, remaining=40, reset=20' })).toEqual(expected)
    expect(
      limits({
        ...policy,
        'ratelimit-limit': '100',
        'ratelimit-remaining': '40',
        'ratelimit-reset': '20',
      }),
    ).toEqual(expected)
    expect(limits({ 'ratelimit-policy': '10;w=1, 50;w=60' })).toEqual([
      { quota: 10, windowMs: 1_000 },
      { quota: 50, windowMs: 60_000 },
    ])
  })
})

describe('the older headers', () => {
  it('RateLimit-Limit names windows beside the quota, or none', () => {
    const trio = { 'ratelimit-remaining': '9', 'ratelimit-reset': '30' }
    expect(limits({ ...trio, 'ratelimit-limit': '100' })).toEqual(left(9, 30_000))
    expect(limits({ ...trio, 'ratelimit-limit': '100, 100;w=60' })).toEqual([
      { quota: 100, windowMs: 60_000, remaining: 9, resetMs: 30_000 },
    ])
  })

  it.each([
    ['seconds to go', 30, 30_000],
    ['epoch seconds', nowMs / 1000 + 30, 31_000],
    ['epoch ms', nowMs + 30_000, 31_000],
  ])('R19: X-RateLimit-Reset in %s', (_, reset, resetMs) => {
    const headers = {
      date,
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '4999',
      'x-ratelimit-reset': String(reset),
    }
    expect(limits(headers)).toEqual(left(4999, resetMs))
  })

  it.each(['-5', '12.5', 'soon', '', '0', String(nowMs / 1000 - 5), '9999999999'])(
    'R19: X-RateLimit-Reset %j is ignored',
    (reset) => {
      expect(
        limits({ date, 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': reset }),
      ).toBeUndefined()
    },
  )

  it('give way to the newer ones', () => {
    const headers = {
      ratelimit: '"a";r=5;t=10',
      'ratelimit-remaining': '4',
      'ratelimit-reset': '9',
      'x-ratelimit-remaining': '3',
      'x-ratelimit-reset': '8',
    }
    expect(limits(headers)).toEqual(left(5, 10_000))
    expect(limits({ ...headers, ratelimit: 'nonsense,' })).toEqual(left(4, 9_000))
  })
})

describe('published limits', () => {
  const trusted = { 'ratelimit-policy': '"a";q=5;w=10' }

  it.each([
    { age: '1' },
    { age: '86400' },
    { 'cache-status': 'ExampleCache; hit; ttl=30' },
    { 'x-cache': 'cp3066 miss, cp3066 hit/4' },
    { 'cf-cache-status': 'HIT' },
  ])('are ignored on an answer from a cache: %j', (cached) => {
    expect(limits({ ...trusted, ...cached })).toBeUndefined()
  })

  it.each([
    { age: '0' },
    { age: 'x' },
    { 'cache-status': 'A; fwd=miss' },
    { 'x-cache': 'cp1 miss' },
  ])('count on an answer that was not: %j', (fresh) => {
    expect(limits({ ...trusted, ...fresh })).toHaveLength(1)
  })

  it('leave what is left to Retry-After where there is one', () => {
    const headers = { ...trusted, ratelimit: '"a";r=0;t=5', 'retry-after': '60' }
    expect(limits(headers)).toEqual([{ quota: 5, windowMs: 10_000 }])
  })

  it('keep the rate of counts larger than a report carries', () => {
    expect(limits({ 'ratelimit-policy': '"a";q=50000000;w=1000' })).toEqual([
      { quota: 1_000_000, windowMs: 20_000 },
    ])
  })

  it('are at most four', () => {
    const many = Array.from({ length: 9 }, (_, i) => `"p${i}";q=${i + 1};w=10`).join(', ')
    expect(limits({ 'ratelimit-policy': many })).toHaveLength(4)
  })

  it('fit into a report whatever a server sends', () => {
    const number = fc.oneof(fc.integer().map(String), fc.double().map(String), fc.string())
    const text = fc.oneof(
      fc.string(),
      fc.tuple(number, number).map(([a, b]) => `"x";q=${a};w=${b}`),
      fc.tuple(number, number).map(([a, b]) => `"x";r=${a};t=${b}`),
      fc.tuple(number, number).map(([a, b]) => `limit=1, remaining=${a}, reset=${b}`),
    )
    fc.assert(
      fc.property(text, text, number, number, (policy, rateLimit, remaining, reset) => {
        const found = publishedLimits(
          {
            'ratelimit-policy': policy,
            ratelimit: rateLimit,
            'x-ratelimit-remaining': remaining,
            'x-ratelimit-reset': reset,
          },
          nowMs,
        )
        expect(found?.length ?? 1).toBeLessThanOrEqual(4)
        for (const value of (found ?? []).flatMap((limit) => Object.values(limit))) {
          expect(Number.isInteger(value) && value >= 0 && value <= 31 * 86_400_000).toBe(true)
        }
        for (const { quota, remaining: count = 0 } of found ?? []) {
          expect(Math.max(quota, count)).toBeLessThanOrEqual(1_000_000)
        }
      }),
      { numRuns: 500 },
    )
  })
})
