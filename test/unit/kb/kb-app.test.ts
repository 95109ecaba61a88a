import { describe, expect, it } from 'vitest'
import { createKbApp } from '../../../src/kb/kb-app.ts'
import { createKbIndex } from '../../../src/kb/kb-index.ts'
import { examplesOf, expectValid } from '../../support/reconciliation-schemas.ts'
import { kbItem, smallIndex } from './kb-items.ts'

const app = createKbApp(smallIndex(), { name: 'small', batchSize: 5 })

/** It says that it speaks 0.2; clients of 0.1 can read it all the same. */
function expectValidInBoth(schema: string, json: unknown): void {
  expectValid('0.1', schema, json)
  expectValid('0.2', schema, json)
}

function post(fields: Readonly<Record<string, string>>): Promise<Response> {
  return Promise.resolve(app.request('/', { method: 'POST', body: new URLSearchParams(fields) }))
}

const postQueries = (queries: unknown): Promise<Response> =>
  post({ queries: JSON.stringify(queries) })

describe('manifest', () => {
  it('follows the schema and tells the batch size', async () => {
    const response = await app.request('http://localhost:8001/')
    const manifest: unknown = await response.json()
    expectValidInBoth('manifest', manifest)
    expect(manifest).toMatchObject({
      versions: ['0.2'],
      name: 'small',
      batchSize: 5,
      identifierSpace: 'http://www.wikidata.org/entity/',
      extend: { propose_properties: { service_url: 'http://localhost:8001' } },
    })
    expect(manifest).toHaveProperty('defaultTypes.0', { id: 'Q431289', name: 'brand' })
  })

  it('shows the own items of a file whose ids are not of Wikidata', async () => {
    const own = createKbApp(createKbIndex([kbItem('gnd/118', 'Goethe')]), { name: 'own' })
    const manifest: unknown = await (await own.request('http://localhost:8001/')).json()
    expectValidInBoth('manifest', manifest)
    expect(manifest).toMatchObject({ view: { url: 'http://localhost:8001/item/{{id}}' } })
    const item = await own.request('/item/gnd%2F118')
    expect(await item.json()).toMatchObject({ qid: 'gnd/118', label: 'Goethe' })
  })

  it('answers HEAD without a body', async () => {
    const response = await app.request('/', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('queries', () => {
  it('are answered by key, valid by the schema, by POST and GET alike', async () => {
    const queries = {
      q0: { query: 'Oxford', type: 'Q515', limit: 1, properties: [{ pid: 'P17', v: 'Q145' }] },
      'any key': { query: 'Carefour', type: ['Q431289'], type_strict: 'should' },
      __proto__x: { query: 'nothing like it at all' },
    }
    const posted: unknown = await (await postQueries(queries)).json()
    expectValidInBoth('reconciliation-result-batch', posted)
    expect(Object.keys(posted as object)).toEqual(['q0', 'any key', '__proto__x'])
    expect(posted).toHaveProperty('q0.result.0.id', 'Q34217')
    expect(posted).toHaveProperty('q0.result.length', 1)
    const got = await app.request(`/?queries=${encodeURIComponent(JSON.stringify(queries))}`)
    expect(await got.json()).toEqual(posted)
  })

  it('may have a key that is special in JavaScript', async () => {
    const response = await post({ queries: '{"__proto__":{"query":"Carrefour"}}' })
    expect(await response.text()).toMatch(/^\{"__proto__":\{"result":\[\{"id":"Q217599"/)
  })

  it('may hold NUL, lone surrogates, quotes and operators', async () => {
    const queries = {
      a: { query: 'a\0b' },
      b: { query: '\ud800' },
      c: { query: 'Friedrich ("kön\\&+%' },
    }
    const response = await postQueries(queries)
    expect(response.status).toBe(200)
    expectValidInBoth('reconciliation-result-batch', await response.json())
  })

  it('may have members that are null', async () => {
    const query = {
      query: 'Carrefour',
      type: null,
      limit: null,
      properties: null,
      type_strict: null,
    }
    const answer: unknown = await (await postQueries({ q: query })).json()
    expect(answer).toHaveProperty('q.result.0.match', true)
  })

  it.each(examplesOf('0.2', 'valid', 'reconciliation-query-batch'))(
    'accept the valid example $file',
    async ({ json }) => {
      const response = await postQueries(json)
      expect(response.status).toBe(200)
      expectValidInBoth('reconciliation-result-batch', await response.json())
    },
  )

  it.each(examplesOf('0.2', 'invalid', 'reconciliation-query-batch'))(
    'refuse the invalid example $file',
    async ({ json }) => {
      const response = await postQueries(json)
      expect(response.status).toBe(400)
      const details = Object.keys(json as object).map((query) => ({ query }))
      expect(await response.json()).toMatchObject({ status: 'error', details })
    },
  )

  it('are refused with the key of each bad one', async () => {
    const queries = {
      good: { query: 'x' },
      empty: { type: 'Q5' },
      wrong: { query: 'x', limit: 0 },
    }
    const response = await postQueries(queries)
    const problems: unknown = await response.json()
    expect(response.status).toBe(400)
    expect(problems).toHaveProperty('details.length', 2)
    expect(problems).toMatchObject({
      details: [{ query: 'empty' }, { query: 'wrong', problem: expect.stringContaining('limit') }],
    })
  })

  it('are refused with 413 beyond the batch size', async () => {
    const batch = Array.from({ length: 6 }, (_, n) => [`q${n}`, { query: 'x' }] as const)
    const response = await postQueries(Object.fromEntries(batch))
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ details: { batchSize: 5, received: 6 } })
  })
})

describe('data extension', () => {
  it('gives the values of properties, valid by the schema', async () => {
    const extend = {
      ids: ['Q296', 'Q34217', 'Q0'],
      properties: [{ id: 'P569', settings: { limit: 1 } }, { id: 'P17' }],
    }
    const answer: unknown = await (await post({ extend: JSON.stringify(extend) })).json()
    expectValidInBoth('data-extension-response', answer)
    expect(answer).toMatchObject({
      meta: [
        { id: 'P569', name: 'P569' },
        { id: 'P17', name: 'P17' },
      ],
      rows: {
        Q296: { P569: [{ str: '1840-11-14' }], P17: [] },
        Q34217: { P569: [], P17: [{ id: 'Q145', name: 'United Kingdom' }] },
        Q0: { P569: [], P17: [] },
      },
    })
  })

  it('gives labels, descriptions and aliases as the services of Wikidata do', async () => {
    const extend = {
      ids: ['Q296', 'Q0'],
      properties: ['Len', 'Lpt-br', 'Dde', 'Len1', 'Snlwiki'].map((id) => ({ id })),
    }
    const answer: unknown = await (await post({ extend: JSON.stringify(extend) })).json()
    expectValidInBoth('data-extension-response', answer)
    expect(answer).toMatchObject({
      rows: {
        Q296: { Len: [{ str: 'Claude Monet' }], 'Lpt-br': [{}], Len1: [], Snlwiki: [] },
        Q0: { Len: [], Dde: [] },
      },
    })
  })

  it.each(examplesOf('0.2', 'valid', 'data-extension-query'))(
    'accepts the valid example $file',
    async ({ json }) => {
      const response = await post({ extend: JSON.stringify(json) })
      expect(response.status).toBe(200)
      expectValidInBoth('data-extension-response', await response.json())
    },
  )

  it('refuses what has no ids', async () => {
    const response = await post({ extend: '{"properties":[]}' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('ids') })
  })

  it('proposes the properties of a type, most used first', async () => {
    const answer: unknown = await (await app.request('/properties?type=Q5&limit=1')).json()
    expectValid('0.2', 'data-extension-property-proposal', answer)
    expect(answer).toEqual({ type: 'Q5', limit: 1, properties: [{ id: 'P245', name: 'P245' }] })
  })
})

describe('errors', () => {
  const json = { 'Content-Type': 'application/json' }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

  it.each([
    ['no JSON', 400, '/', { method: 'POST', headers: form, body: 'queries=%7B' }],
    ['JSON that is no object', 400, '/', { method: 'POST', headers: form, body: 'queries=[]' }],
    ['no field', 400, '/', { method: 'POST', headers: form, body: 'q=1' }],
    ['the single query of old services', 400, '/?query=Carrefour', {}],
    ['another content type', 415, '/', { method: 'POST', headers: json, body: '{}' }],
    ['a body too large', 413, '/', { method: 'POST', headers: form, body: 'x'.repeat(5e6) }],
    ['another method', 405, '/', { method: 'PUT' }],
    ['another method elsewhere', 405, '/properties', { method: 'POST' }],
    ['an unknown path', 404, '/reconcile', {}],
    ['an unknown item', 404, '/item/Q0', {}],
    ['a bad limit', 400, '/properties?limit=x', {}],
  ] as const)('are JSON for %s', async (_, status, path, init) => {
    const response = await app.request(path, init)
    expect(response.status).toBe(status)
    expect(response.headers.get('Content-Type')).toContain('application/json')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(await response.json()).toEqual({
      status: 'error',
      message: expect.any(String),
      details: expect.toSatisfy(() => true),
    })
  })

  it('are JSON when the service itself fails', async () => {
    const broken = createKbApp(
      {
        ...smallIndex(),
        nameOf: () => {
          throw new Error('disk on fire')
        },
      },
      { name: 'broken' },
    )
    const response = await broken.request('/')
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({
      status: 'error',
      details: { error: 'disk on fire' },
    })
  })
})

it('lets pages of other origins ask', async () => {
  const response = await app.request('/', {
    method: 'OPTIONS',
    headers: { Origin: 'https://openrefine.example', 'Access-Control-Request-Method': 'POST' },
  })
  expect(response.status).toBe(204)
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(response.headers.get('Access-Control-Allow-Methods')).toContain('POST')
})

describe('suggestions', () => {
  const suggested = async (kind: 'entity' | 'type' | 'property', query: string) => {
    const answer = await (await app.request(`/suggest/${kind}?${query}`)).json()
    const schema = { entity: 'entities', type: 'types', property: 'properties' }[kind]
    expectValid('0.2', `suggest-${schema}-response`, answer)
    return (answer as { result: { id: string; name: string }[] }).result
  }

  it('find items by the beginning of a name or by id, properties and types by name', async () => {
    expect((await suggested('entity', 'prefix=Carref'))[0]).toMatchObject({ id: 'Q217599' })
    expect((await suggested('entity', 'prefix=Q296'))[0]).toMatchObject({ name: 'Claude Monet' })
    expect((await suggested('property', 'prefix=birth%20date'))[0]).toEqual({
      id: 'P569',
      name: 'date of birth',
    })
    expect((await suggested('property', 'prefix=p856'))[0]?.id).toBe('P856')
    expect((await suggested('type', 'prefix=bran'))[0]).toEqual({ id: 'Q431289', name: 'brand' })
    expect(await suggested('type', 'prefix=')).toEqual([])
  })

  it('go on behind a cursor, and refuse one that is no number', async () => {
    const all = await suggested('property', 'prefix=date')
    expect(await suggested('property', 'prefix=date&cursor=1')).toEqual(all.slice(1))
    const refused = await app.request('/suggest/type?prefix=a&cursor=x')
    expect(refused.status).toBe(400)
  })
})
