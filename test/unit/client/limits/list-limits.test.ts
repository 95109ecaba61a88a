import { expect, it } from 'vitest'
import { agedSnapshot } from '../../../../src/client/limits/aged-snapshot.ts'
import { knownText, nearDomain } from '../../../../src/client/limits/known-domain.ts'
import { limitsText } from '../../../../src/client/limits/list-limits.ts'
import { sampleOf } from '../../../../src/client/limits/read-limits.ts'
import type { DomainLimit } from '../../../../src/db/domain-limits.repo.ts'
import { sending, told } from './figures.ts'

const limit: DomainLimit = {
  domain: 'example.org',
  policy: null,
  pausedBecause: null,
  snapshot: sending,
  ageMs: 2_000,
}

it('a domain is shown with rate, mode, in flight, waiting, breaker, cooling, refusals and age', () => {
  const noonMs = new Date(2026, 0, 1, 12, 0, 0).getTime()
  const rows: DomainLimit[] = [
    limit,
    { ...limit, domain: 'b.org', snapshot: { ...told, domain: 'b.org' }, ageMs: 18_000 },
    { ...limit, domain: 'c.org', pausedBecause: 'lunch' },
    { ...limit, domain: 'd.org', snapshot: null, ageMs: null },
  ]
  const [head, ...lines] = limitsText(rows, noonMs).split('\n')
  expect(head).toMatch(
    /^domain +rate +mode +in flight +waiting +breaker +cooling until +refused\/1000 +as of$/,
  )
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['example.org', '3.33/s', 'adaptive: hold', '2 of 4', '12', 'closed', '0.5', '2 s ago'],
    [
      'b.org',
      '3.33/s',
      'adaptive: hold',
      '2 of 4',
      '12',
      'closed',
      '12:00:42, in 42 s (the server asked to wait)',
      '0.5',
      '18 s ago',
    ],
    [
      'c.org',
      '3.33/s',
      'adaptive: hold',
      '2 of 4',
      '12',
      'closed',
      'paused: lunch',
      '0.5',
      '2 s ago',
    ],
    ['d.org', 'never asked'],
  ])
  expect(limitsText([], noonMs)).toBe('No domain was asked yet.')
})

it('for programs has exactly the nine fields of the source document', () => {
  expect(sampleOf({ ...limit, snapshot: told })).toEqual([
    {
      domain: 'example.org',
      fillRate: 3.333,
      tokens: 6,
      avgLatency: 31.2,
      p95Latency: 123,
      errorRate: 0.01,
      state: 'closed',
      consecutiveFails: 0,
      nextEarliest: 58_000,
    },
  ])
  expect(sampleOf({ ...limit, snapshot: null })).toEqual([])
})

it('waits go on while nobody looks, and a pause holds whatever the figures said', () => {
  expect(agedSnapshot(told, 59_000, null)).toMatchObject({
    hold: 'retry_after',
    nextEarliest: 1_000,
  })
  expect(agedSnapshot(told, 61_000, null)).toMatchObject({ hold: null, nextEarliest: 0 })
  expect(agedSnapshot(sending, 0, 'lunch')).toMatchObject({
    hold: 'paused',
    pausedBecause: 'lunch',
  })
  const paused = { ...sending, hold: 'paused', nextEarliest: 10_000, pausedBecause: 'x' } as const
  expect(agedSnapshot(paused, 1_000, null)).toMatchObject({
    hold: null,
    nextEarliest: 0,
    pausedBecause: null,
  })
})

it('an open breaker is half open once its time is over, though nobody has asked since', () => {
  const open = { ...sending, state: 'open', hold: 'breaker_open', nextEarliest: 5_000 } as const
  expect(agedSnapshot(open, 4_000, null)).toMatchObject({ state: 'open', nextEarliest: 1_000 })
  expect(agedSnapshot(open, 5_000, null)).toMatchObject({ state: 'half_open', hold: null })
})

it('an unknown domain is answered with the one that was meant, or some there are', () => {
  const known = ['www.wikidata.org', 'example.org', '127.0.0.1:8001']
  expect(nearDomain('wikidata.org', known)).toBe('www.wikidata.org')
  expect(nearDomain('exampel.org', known)).toBe('example.org')
  const ports = ['127.0.0.2:8733', '127.0.0.1:9000', '127.0.0.1:8733']
  expect(nearDomain('127.0.0.1', ['127.0.0.1:8733'])).toBe('127.0.0.1:8733')
  expect(nearDomain('127.0.0.1:8734', ports)).toBe('127.0.0.1:8733')
  expect(nearDomain('elsewhere.net', known)).toBeUndefined()
  expect(knownText('elsewhere.net', known)).toContain(known.join(', '))
  expect(knownText('elsewhere.net', [...known, 'a.b', 'c.d', 'e.f'])).toContain('c.d and 1 more')
  expect(knownText('elsewhere.net', [])).toContain('No domain was asked yet')
})
