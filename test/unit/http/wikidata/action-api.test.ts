import { expect, it } from 'vitest'
import { apiError, fakeWikidata } from '../../../support/fake-wikidata.ts'
import { htmlAnswer } from '../../../support/fake-reconciliation-service.ts'
import { createActionApi } from '../../../../src/http/wikidata/action-api.ts'
import { wikidataScene } from './wikidata-scene.ts'

const call = { action: 'query', list: 'search', srsearch: 'x' }

it('says that it gives way to people when the servers lag', async () => {
  const scene = await wikidataScene(fakeWikidata([]))
  await scene.call(call)
  expect(Object.fromEntries(scene.asked()[0] ?? [])).toEqual({
    ...call,
    format: 'json',
    formatversion: '2',
    maxlag: '5',
  })
  const insistent = await wikidataScene(fakeWikidata([]), { maxLagS: null })
  await insistent.call(call)
  expect(insistent.asked()[0]?.has('maxlag')).toBe(false)
})

it('a token goes into a header and nowhere else', async () => {
  const scene = await wikidataScene(fakeWikidata([]), { accessToken: 'secret-token' })
  await scene.call(call)
  const [request] = scene.service.requests
  expect(request?.headers['authorization']).toBe('Bearer secret-token')
  expect(`${request?.path} ${request?.body}`).not.toContain('secret')
})

it('a call too long for an address is a POST', async () => {
  const scene = await wikidataScene(fakeWikidata([]))
  const params = { action: 'wbgetentities', ids: 'Q1', props: 'x'.repeat(2_000) }
  await scene.call(params)
  expect(scene.service.requests[0]?.method).toBe('POST')
  expect(scene.asked()[0]?.get('action')).toBe('wbgetentities')
})

it.each([
  ['cirrussearch-query-too-long', 'permanent'],
  ['no-such-entity', 'permanent'],
  ['readapidenied', 'endpoint'],
  ['mwoauth-invalid-authorization', 'endpoint'],
])('the code %s in a 200 is a refusal of kind %s', async (code, kind) => {
  const scene = await wikidataScene(apiError(code))
  await expect(scene.call(call)).rejects.toMatchObject({
    kind,
    code,
  })
})

it('a newer errorformat is read as well', async () => {
  const scene = await wikidataScene({ json: { errors: [{ code: 'badvalue', text: 'no' }] } })
  await expect(scene.call(call)).rejects.toMatchObject({
    code: 'badvalue',
  })
})

it.each([
  ['a list', { json: [] }],
  ['cut JSON', { body: '{"query": {', headers: { 'content-type': 'application/json' } }],
  ['HTML', htmlAnswer(200, 'Wikimedia Error')],
])('%s is no answer: it is asked again, never "nothing found"', async (_, answer) => {
  const scene = await wikidataScene(answer)
  const { kind } = await scene.call(call).then(
    () => ({ kind: 'answered' }),
    (error: { kind: string }) => error,
  )
  expect(['transient', 'endpoint']).toContain(kind)
})

it('a token is never sent to another machine for all to read', async () => {
  const call = { params: { action: 'query' }, signal: AbortSignal.timeout(1_000) }
  const url = 'http://wikibase.example.org/w/api.php'
  const http = { request: () => Promise.reject(new Error('nothing is to be sent')) }
  const api = createActionApi({ http, url, project: '1', accessToken: 'secret-token' })
  const { code, message } = await api({ ...call, onExchange: () => {} }, () => 'answered').then(
    () => ({ code: 'answered', message: '' }),
    (error: { code: string; message: string }) => error,
  )
  expect(code).toBe('token_unencrypted')
  expect(message).not.toContain('secret-token')
})
