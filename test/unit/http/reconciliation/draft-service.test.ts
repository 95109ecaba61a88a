/** A service that speaks the 1.0 draft only, asked through real HTTP. */
import { describe, expect, it } from 'vitest'
import type { LookupToAsk } from '../../../../src/http/reconciliation/lookup-result.ts'
import type { FakeAnswer } from '../../../support/fake-reconciliation-service.ts'
import {
  draftFinding,
  draftName,
  draftQueries,
  type DraftQuery,
  draftService,
} from '../../../support/fake-draft-service.ts'
import { expectValid } from '../../../support/reconciliation-schemas.ts'
import { allFound, askingScene, lookup, numbered, summary } from './asking-scene.ts'

const signal = new AbortController().signal

async function draftScene(answer: (queries: readonly DraftQuery[]) => FakeAnswer = draftFinding) {
  const scene = await askingScene(draftService(answer))
  await scene.client.manifest(signal)
  const sent = () => scene.service.requests.flatMap((request) => draftQueries(request) ?? [])
  const batches = () =>
    scene.service.requests.flatMap((request) => {
      const queries = draftQueries(request)
      return queries === null ? [] : [queries.map(draftName)]
    })
  return { ...scene, sent, batches }
}

describe('a service of the 1.0 draft', () => {
  it('is asked with JSON at /match, and its answers are taken in the order of the queries', async () => {
    const { ask, service } = await draftScene()
    const { results } = await ask(numbered(3))
    expect(summary(results)).toEqual(allFound(3))
    expect(results[1]).toMatchObject({ rawJson: '{"candidates":[{"id":"n1","name":"n1"}]}' })
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /reconcile',
      'POST /reconcile/match',
    ])
    expect(service.requests[1]?.headers['content-type']).toBe('application/json')
    expectValid(
      '1.0-draft',
      'reconciliation-query-batch',
      JSON.parse(service.requests[1]?.body ?? ''),
    )
  })

  it('gets names and properties as conditions, and no property is required', async () => {
    const { ask, sent } = await draftScene()
    const asked: LookupToAsk = {
      id: 1,
      query: {
        query: 'Oxford',
        types: ['Q515'],
        limit: 7,
        properties: [
          { pid: 'P17', v: { id: 'Q145' } },
          { pid: 'P131', v: ['Oxfordshire', 'England'] },
        ],
      },
    }
    await ask([asked])
    const property = { matchType: 'property', required: false, matchQuantifier: 'any' }
    expect(sent()).toEqual([
      {
        type: 'Q515',
        limit: 7,
        conditions: [
          { matchType: 'name', propertyValue: 'Oxford' },
          { ...property, propertyId: 'P17', propertyValue: { id: 'Q145' } },
          { ...property, propertyId: 'P131', propertyValue: ['Oxfordshire', 'England'] },
        ],
      },
    ])
  })

  it('gets no type where several are asked for: one alone would leave right ones out', async () => {
    const { ask, sent } = await draftScene()
    const { query } = lookup(0, 'n0')
    await ask([{ id: 0, query: { ...query, types: ['Q5', 'Q43229'] } }])
    expect(sent()[0]).not.toHaveProperty('type')
  })

  it('case 15: an answer with one left out is never shifted to the next record', async () => {
    const { ask, batches } = await draftScene((queries) =>
      draftFinding(queries.filter((query) => queries.length === 1 || draftName(query) !== 'n3')),
    )
    expect(summary((await ask(numbered(10))).results)).toEqual(allFound(10))
    expect(batches()[0]).toHaveLength(10)
  })

  it('case 15: an answer without candidates is asked alone, then has failed', async () => {
    const { ask } = await draftScene((queries) => ({
      json: {
        results: queries.map((query) => {
          const name = draftName(query)
          return name === 'n2' ? {} : { candidates: [{ id: name, name }] }
        }),
      },
    }))
    expect(summary((await ask(numbered(4))).results)).toEqual(
      allFound(4).with(2, '2 failed transient malformed_answer'),
    )
  })

  it('case 13: candidates without a score keep the order of the service', async () => {
    const { ask } = await draftScene((queries) => ({
      json: {
        results: queries.map(() => ({
          candidates: [
            { id: 'b', name: 'B' },
            { id: 'a', name: 'A' },
          ],
        })),
      },
    }))
    const { results } = await ask(numbered(1))
    expect(results[0]).toMatchObject({
      list: { candidates: [{ id: 'b', serviceScore: null }, { id: 'a' }] },
    })
  })

  it('case 19: a batch that is too large is halved, at the same place', async () => {
    const { ask, batches } = await draftScene((queries) =>
      queries.length > 5 ? { status: 413 } : draftFinding(queries),
    )
    const { results, learnedBatchSize } = await ask(numbered(10))
    expect(summary(results)).toEqual(allFound(10))
    expect(batches().map((batch) => batch.length)).toEqual([10, 5, 5])
    expect(learnedBatchSize).toBe(5)
  })

  it('case 21: moved with its manifest, it is asked at /match of the new place', async () => {
    const target = await askingScene(draftService(draftFinding))
    const { client, ask } = await askingScene({
      status: 301,
      headers: { location: target.service.url },
    })
    await client.manifest(signal)
    expect(summary((await ask(numbered(2))).results)).toEqual(allFound(2))
    expect(target.service.requests.map(({ path }) => path)).toEqual([
      '/reconcile',
      '/reconcile/match',
    ])
  })

  it('case 21: its manifest in place of an answer is an error of the address', async () => {
    const { fail } = await draftScene(() => ({
      json: { versions: ['1.0-draft'], name: 'Draft', view: { url: '{id}' } },
    }))
    expect(await fail(numbered(1))).toMatchObject({ code: 'manifest_instead_of_answer' })
  })

  it('that speaks 0.2 as well is asked in 0.2', async () => {
    const { client, ask, service } = await askingScene((request) =>
      request.method === 'GET'
        ? { json: { versions: ['1.0-draft', '0.2'], name: 'Both', view: { url: '{id}' } } }
        : { json: { q0: { result: [] } } },
    )
    await client.manifest(signal)
    await ask(numbered(1))
    expect(service.requests[1]).toMatchObject({ path: '/reconcile', queries: { q0: {} } })
  })
})

it('types that come as bare ids get the names of the manifest', async () => {
  const { client, ask } = await askingScene((request) =>
    request.queries
      ? { json: { q0: { result: [{ id: 'Q1', name: 'a', type: ['Q5', { id: 'Q6' }, 'Q7'] }] } } }
      : {
          json: {
            versions: ['0.2'],
            name: 'x',
            defaultTypes: [
              { id: 'Q5', name: 'human' },
              { id: 'Q6', name: 'thing' },
            ],
          },
        },
  )
  await client.manifest(signal)
  const { results } = await ask(numbered(1))
  expect(results[0]).toMatchObject({
    list: {
      candidates: [
        { types: [{ id: 'Q5', name: 'human' }, { id: 'Q6', name: 'thing' }, { id: 'Q7' }] },
      ],
    },
  })
})
