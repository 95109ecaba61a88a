import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  longestWaitMs,
  rateLimitResetMs,
  type ResponseHeaders,
  retryAfterMs,
} from '../../../src/core/retry-after.ts'

/**
 * Cases R1–R19 of research/limiter.md §5.1, which hold the public cases of V17 (crawlee, smithy, ky, basecamp,
 * curl). R17 and R18 are of the HTTP client, under their names in test/unit/http; R20, spreading those who got
 * the same wait, is the limiter's.
 */
const nowMs = Date.UTC(2026, 8, 15, 12, 0, 0)
const after = (value: string, headers: ResponseHeaders = {}, now = nowMs): number | undefined =>
  retryAfterMs({ ...headers, 'retry-after': value }, now)
const date = (offsetMs: number): string => new Date(nowMs + offsetMs).toUTCString()

describe('Retry-After (V17)', () => {
  it('R1: reads whole seconds, with blanks and leading zeros', () => {
    expect(['120', '  5  ', '05'].map((value) => after(value))).toEqual([120_000, 5_000, 5_000])
  })

  it.each([
    ['R2', ['0', '00']],
    ['R3', ['-5']],
    ['R4', ['1.5', '+3']],
    ['R5', ['120junk', '1e3', '0x10', 'NaN', 'inf', 'soon']],
    ['R8', [date(-60_000), date(0)]],
    ['R10', ['Sun, 32 Dec 2030 25:99:99 GMT', 'Sun Nov 06 1994 08:49:37 GMT']],
  ])('%s: gives no wish, never 0, for %j', (_, values) => {
    expect(values.map((value) => after(value))).toEqual(values.map(() => undefined))
  })

  it('R6: an empty value gives no wish and does not fall through to the reset headers', () => {
    expect(after('')).toBeUndefined()
    expect(rateLimitResetMs({ 'retry-after': '', 'x-ratelimit-reset': '30' }, nowMs)).toBe(
      undefined,
    )
  })

  it('R7: reads a date, rounding up to whole seconds', () => {
    expect(after(date(60_000))).toBe(60_000)
    expect(after(date(60_000), {}, nowMs + 400)).toBe(60_000)
  })

  it('R9: reads RFC 850 and asctime dates, two-digit years and second 60', () => {
    expect(after('Tuesday, 15-Sep-26 12:01:00 GMT')).toBe(60_000)
    expect(after('Tue Sep 15 12:01:00 2026')).toBe(60_000)
    expect(after('Tue, 15 Sep 2026 12:00:60 GMT')).toBe(60_000)
    expect(after('Tue Sep  1 12:00:05 2026', {}, Date.UTC(2026, 8, 1, 12))).toBe(5_000)
    const in2070 = Date.UTC(2070, 0, 1)
    expect(after('Wednesday, 01-Jan-70 00:00:05 GMT', {}, in2070)).toBe(5_000)
    // More than 50 years ahead means the century before: long past.
    expect(after('Friday, 01-Jan-99 00:00:00 GMT')).toBeUndefined()
  })

  it('R10: takes no date that does not exist', () => {
    expect(after('Sun, 31 Feb 2027 00:00:00 GMT')).toBeUndefined()
    expect(after('Mon, 29 Feb 2027 00:00:00 GMT')).toBeUndefined()
    expect(after('Sun, 15 Foo 2027 00:00:00 GMT')).toBeUndefined()
  })

  it.each([-3_600_000, 3_600_000])(
    'R11: measures a date against the Date header of the response, skewed by %d ms',
    (skewMs) => {
      expect(after(date(skewMs + 30_000), { date: date(skewMs) })).toBe(30_000)
    },
  )

  it('R12: takes the largest valid member of a joined or repeated header', () => {
    expect(after('120, 120')).toBe(120_000)
    expect(after(`${date(10_000)}, 45`)).toBe(45_000)
    expect(after(`45, ${date(60_000)}`)).toBe(60_000)
    expect(after('Tuesday, 15-Sep-26 12:01:00 GMT, 45')).toBe(60_000)
    expect(after('-5, junk, 7')).toBe(7_000)
    expect(retryAfterMs({ 'retry-after': ['3', '9'] }, nowMs)).toBe(9_000)
  })

  it('R13: caps what no timer can hold', () => {
    expect(after('9999999999')).toBe(longestWaitMs)
    expect(after('100000000000000000000')).toBe(longestWaitMs)
    expect(after('86400')).toBe(86_400_000)
  })

  it('R14: reads the millisecond headers, and only those as milliseconds', () => {
    expect(retryAfterMs({ 'retry-after-ms': '1500' }, nowMs)).toBe(1_500)
    expect(retryAfterMs({ 'x-amz-retry-after': '1500' }, nowMs)).toBe(1_500)
    expect(retryAfterMs({ 'retry-after-ms': '1500', 'retry-after': '2' }, nowMs)).toBe(1_500)
    expect(retryAfterMs({ 'retry-after-ms': 'x', 'retry-after': '2' }, nowMs)).toBe(2_000)
    expect(retryAfterMs({ 'x-retry-after': '1500' }, nowMs)).toBeUndefined()
  })

  it('R15: takes 2 as two seconds', () => {
    expect(after('2')).toBe(2_000)
  })

  it('R16: honours a date although it is not a number', () => {
    expect(after(date(5_000))).toBe(5_000)
  })

  it('R19: tells epoch seconds, epoch ms and seconds to go apart', () => {
    const reset = (value: number, remaining = '0'): number | undefined =>
      rateLimitResetMs(
        { 'x-ratelimit-reset': String(value), 'x-ratelimit-remaining': remaining },
        nowMs,
      )
    expect(reset(30)).toBe(30_000)
    expect(reset(nowMs / 1000 + 30)).toBe(31_000)
    expect(reset(nowMs + 30_000)).toBe(31_000)
    expect(reset(nowMs / 1000 - 30)).toBeUndefined()
    expect(reset(nowMs - 30_000)).toBeUndefined()
    expect(reset(0)).toBeUndefined()
    expect(reset(30, '7')).toBeUndefined()
    expect(rateLimitResetMs({ 'ratelimit-reset': '12' }, nowMs)).toBe(12_000)
    expect(rateLimitResetMs({}, nowMs)).toBeUndefined()
  })

  // Of ky's table four entries are read otherwise here: lower-case dates are understood, of several values the largest
  // counts (R12), what no timer can hold is capped (R13), and the past is no wish rather than 0 (R8).
  it.each([
    '-1',
    '+1',
    '1.5',
    '1e3',
    '1_000',
    '0b10',
    '0o10',
    '10seconds',
    '1 0',
    '\uff11\uff12',
    'Wed, 00 Jan 2031 12:00:00 GMT',
    'Fri, 32 Jan 2031 12:00:00 GMT',
    'Thu, 31 Apr 2031 12:00:00 GMT',
    'Sat, 29 Feb 2031 12:00:00 GMT',
    'Wed, 01 Foo 2031 12:00:00 GMT',
    'Foo, 01 Jan 2031 12:00:00 GMT',
    'Wed, 01 Jan 2031 24:00:00 GMT',
    'Wed, 01 Jan 2031 12:60:00 GMT',
    'Wed, 01 Jan 2031 12:00:61 GMT',
    'Wed, 01 Jan 2031 12:00:00 UTC',
    'Wed, 01 Jan 2031 12:00:00 +0000',
    '2031-01-01T12:00:00Z',
    'Wed, 1 Jan 2031 12:00:00 GMT',
  ])('V17 (ky): %j is no wait', (value) => {
    expect(after(value)).toBeUndefined()
  })

  it.each([
    ['000012', nowMs, 12_000],
    ['\t 012 \t', nowMs, 12_000],
    ['Thu, 29 Feb 2024 00:00:00 GMT', Date.UTC(2024, 1, 28, 23, 59, 59), 1_000],
    ['Sun Nov  6 08:49:37 1994', Date.UTC(1994, 10, 6, 8, 49, 36), 1_000],
  ])('V17 (ky): %j is a wait', (value, now, waitMs) => {
    expect(after(value, {}, now)).toBe(waitMs)
  })

  it.each(['1700000000', '1672531200', '1000000000'])(
    'V17 (ky): a reset at %s is past, not a wait of decades',
    (value) => {
      expect(rateLimitResetMs({ 'ratelimit-reset': value }, nowMs)).toBeUndefined()
    },
  )

  it('is nothing, or a whole number of ms from 1 to the longest wait, whatever a server sends', () => {
    const text = fc.oneof(fc.string(), fc.integer().map(String), fc.date().map(String))
    fc.assert(
      fc.property(text, text, text, (retry, ms, reset) => {
        const headers = { 'retry-after': retry, 'retry-after-ms': ms, 'x-ratelimit-reset': reset }
        const waits = [
          retryAfterMs(headers, nowMs),
          rateLimitResetMs({ 'x-ratelimit-reset': reset }, nowMs),
        ]
        for (const wait of waits) {
          if (wait === undefined) continue
          expect(Number.isInteger(wait) && wait >= 1 && wait <= longestWaitMs).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })
})
