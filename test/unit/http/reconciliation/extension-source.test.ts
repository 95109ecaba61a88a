import { afterEach, describe, expect, it } from 'vitest'
import { domainKey } from '../../../../src/core/domain-key.ts'
import { createHttpClient } from '../../../../src/http/http-client.ts'
import type { Exchange } from '../../../../src/http/exchange-record.ts'
import { createExtensionSource } from '../../../../src/http/reconciliation/extension-source.ts'
import { createReconciliationClient } from '../../../../src/http/reconciliation/reconciliation-client.ts'
import { tellExchanges } from '../../../../src/http/tell-exchanges.ts'
import type { ItemAnswer } from '../../../../src/http/value-source.ts'
import {
  type FakeAnswer,
  type FakeHandler,
  manifestAnswer,
  startFakeService,
} from '../../../support/fake-reconciliation-service.ts'
import { recordingPermits } from '../recording-permits.ts'

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()))
})

/** Answers a batch of ids; without one, with a manifest that offers data extension. */
function extending(answer: (ids: readonly string[]) => FakeAnswer, batchSize = 3): FakeHandler {
  return (request) => {
    const extend = new URLSearchParams(request.body).get('extend')
    if (extend === null) return manifestAnswer(request, { extend: {}, batchSize })
    return answer((JSON.parse(extend) as { ids: string[] }).ids)
  }
}

const rows = (ids: readonly string[]): FakeAnswer => ({
  json: { meta: [], rows: Object.fromEntries(ids.map((id) => [id, { P1: [{ str: id }] }])) },
})

async function scene(handler: FakeHandler, secret?: string) {
  const service = await startFakeService(handler)
  const permits = recordingPermits()
  const http = createHttpClient({ permits, contact: undefined, version: '1' })
  opened.push(
    () => service.close(),
    () => http.close(),
  )
  const credentials = secret === undefined ? {} : { [domainKey(service.url)]: secret }
  const asked = { http, project: '123', credentials }
  const client = createReconciliationClient({ ...asked, url: service.url })
  const source = createExtensionSource({
    ...asked,
    manifest: ({ signal, onExchange }) =>
      tellExchanges(onExchange, (tell) => client.manifest(signal, tell)),
  })
  const answers: ItemAnswer[] = []
  const exchanges: Exchange[] = []
  const fetch = async (ids: readonly string[], properties = ['P1']) => {
    await source.fetchValues(ids, properties, {
      languages: [],
      signal: new AbortController().signal,
      onAnswer: async (some) => void answers.push(...some),
      onExchange: async (exchange) => void exchanges.push(exchange),
    })
    return answers
  }
  return { service, permits, exchanges, answers, fetch }
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `Q${index + 1}`)
const standing = (answers: readonly ItemAnswer[]) =>
  answers
    .map((answer) => `${answer.id} ${answer.status === 'failed' ? answer.error.code : 'answered'}`)
    .toSorted()

describe('data extension', () => {
  it('is asked in batches of the size the manifest names, with a permit each', async () => {
    const { service, permits, exchanges, fetch } = await scene(extending(rows))
    expect(await fetch(ids(7))).toHaveLength(7)
    const forms = service.requests.map(({ body }) => new URLSearchParams(body).get('extend'))
    expect(forms).toEqual([
      null,
      '{"ids":["Q1","Q2","Q3"],"properties":[{"id":"P1"}]}',
      '{"ids":["Q4","Q5","Q6"],"properties":[{"id":"P1"}]}',
      '{"ids":["Q7"],"properties":[{"id":"P1"}]}',
    ])
    expect(permits.kinds()).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(exchanges.map(({ kind }) => kind)).toEqual(['ok', 'ok', 'ok', 'ok'])
  })

  it('is asked with the credentials that the manifest wants', async () => {
    const authentication = { type: 'http', scheme: 'bearer' }
    const handler: FakeHandler = (request) =>
      new URLSearchParams(request.body).has('extend')
        ? rows(['Q1'])
        : manifestAnswer(request, { extend: {}, authentication })
    const { service, fetch } = await scene(handler, 'a-token')
    expect(await fetch(['Q1'])).toHaveLength(1)
    const sent = service.requests.map(({ headers }) => headers.authorization)
    expect(sent).toEqual([undefined, 'Bearer a-token'])
  })

  it('reads values of every kind by property, and what a row leaves out as nothing', async () => {
    const cells = {
      P9: [{ str: 'of another column' }],
      P1: [{ id: 'Q64', name: 'Berlin' }, { id: 'Q90' }, {}, null, { str: ' ' }],
      P2: [{ date: '1877-07-09T00:00:00+00:00' }, { float: 1.5 }, { int: 0 }, { bool: true }],
      Len: { str: 'not in a list' },
    }
    const { fetch } = await scene(extending(() => ({ json: { meta: [], rows: { Q1: cells } } })))
    expect(await fetch(['Q1'], ['Len', 'P1', 'P2', 'P3'])).toEqual([
      {
        id: 'Q1',
        status: 'answered',
        language: null,
        held: {
          Len: ['not in a list'],
          P1: [{ id: 'Q64', name: 'Berlin' }, { id: 'Q90' }],
          P2: ['1877-07-09T00:00:00+00:00', '1.5', '0', 'true'],
          P3: [],
        },
      },
    ])
  })

  it('asks an item alone that was left out of an answer, and never takes it for one without values', async () => {
    const { fetch } = await scene(extending((some) => rows(some.filter((id) => id !== 'Q2'))))
    expect(standing(await fetch(ids(3)))).toEqual([
      'Q1 answered',
      'Q2 malformed_answer',
      'Q3 answered',
    ])
  })

  it('finds the one that breaks a batch', async () => {
    const broken = extending((some) => (some.includes('Q3') ? { status: 400 } : rows(some)), 10)
    const { fetch } = await scene(broken)
    expect(standing(await fetch(ids(4)))).toEqual([
      'Q1 answered',
      'Q2 answered',
      'Q3 bad_request',
      'Q4 answered',
    ])
  })

  it('learns how many items a service takes', async () => {
    const small = extending((some) => (some.length > 2 ? { status: 413 } : rows(some)), 10)
    const { service, fetch } = await scene(small)
    expect(standing(await fetch(ids(8)))).toHaveLength(8)
    const before = service.requests.length
    await fetch(ids(4))
    expect(service.requests.length - before).toBe(1 + 2)
  })

  it('of a service that is busy throws, with what was answered delivered', async () => {
    const busy = extending((some) => (some.includes('Q4') ? { status: 429 } : rows(some)))
    const { answers, fetch } = await scene(busy)
    await expect(fetch(ids(5))).rejects.toMatchObject({ kind: 'throttled' })
    expect(standing(answers)).toEqual(['Q1 answered', 'Q2 answered', 'Q3 answered'])
  })

  it('of a service that has none is refused', async () => {
    const { fetch } = await scene((request) => manifestAnswer(request))
    await expect(fetch(['Q1'])).rejects.toMatchObject({ code: 'no_data_extension' })
  })
})
