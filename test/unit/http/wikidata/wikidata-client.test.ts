import { expect, it } from 'vitest'
import type { LookupResult } from '../../../../src/http/reconciliation/lookup-result.ts'
import { createWikidataClient } from '../../../../src/http/wikidata/wikidata-client.ts'
import { apiError, entity, fakeWikidata } from '../../../support/fake-wikidata.ts'
import type { FakeHandler } from '../../../support/fake-reconciliation-service.ts'
import { wikidataScene } from './wikidata-scene.ts'

const world = fakeWikidata([entity('Q1', { labels: { en: 'Ada' } })])
const lookup = (id: number, query: string) => ({
  id,
  query: { search: 'label', query, language: 'en', limit: 10, types: [], properties: [] } as const,
})

async function ask(handler: FakeHandler, ...queries: readonly string[]) {
  const scene = await wikidataScene(handler)
  const client = createWikidataClient(scene.api)
  const results: LookupResult[] = []
  const attempts: (readonly [string, readonly number[]])[] = []
  const outcome = await client
    .ask(
      queries.map((query, id) => lookup(id, query)),
      {
        signal: scene.signal,
        onAnswer: (more) => void results.push(...more),
        onAttempt: ({ kind, lookupIds }) => void attempts.push([kind, lookupIds]),
      },
    )
    .then(
      () => 'asked',
      (error: { code?: string }) => error.code,
    )
  return { outcome, attempts, results, requests: scene.service.requests.length }
}

const refusing: FakeHandler = (request) =>
  request.path.includes('search=bad') ? apiError('invalid-search') : world(request)

it('each lookup is a request of its own, and its answer is there before the next', async () => {
  const { results, attempts } = await ask(world, 'Ada', 'Nobody')
  expect(results.map((one) => one.status === 'answered' && one.list.candidates.length)).toEqual([
    1, 0,
  ])
  expect(attempts).toEqual([
    ['ok', [0]],
    ['ok', [1]],
  ])
})

it('a refused lookup fails for good, the others are answered', async () => {
  const { outcome, results, attempts } = await ask(refusing, 'Ada', 'bad', 'Ada L')
  expect(outcome).toBe('asked')
  expect(results.map((one) => (one.status === 'failed' ? one.error.kind : one.status))).toEqual([
    'answered',
    'permanent',
    'answered',
  ])
  expect(attempts[1]).toEqual(['permanent', [1]])
})

it('when ten in a row are refused it is not the lookups: the run is to pause', async () => {
  const { outcome, requests } = await ask(
    refusing,
    ...Array.from({ length: 12 }, (_, index) => `bad ${index}`),
  )
  expect(outcome).toBe('every_query_refused')
  expect(requests).toBe(10)
})

it('after three answers in a row that are none the service is left alone for now', async () => {
  const { outcome, results, requests } = await ask(
    () => ({ json: { success: 1 } }),
    'a',
    'b',
    'c',
    'd',
  )
  expect([outcome, requests]).toEqual(['malformed_answer', 3])
  expect(results.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
})

it('NUL and half a surrogate pair, which no JSON reader takes, are not sent', async () => {
  const { requests, results } = await ask(world, 'A\0da')
  expect([requests, results[0]?.status]).toEqual([1, 'answered'])
})
