import { describe, expect, it } from 'vitest'
import {
  answerByName,
  answerEach,
  type FakeAnswer,
  htmlAnswer,
  manifestAnswer,
} from '../../../support/fake-reconciliation-service.ts'
import { allFound, askingScene, finding, lookup, numbered, summary } from './asking-scene.ts'

describe('asking', () => {
  it('sends one batch and returns each answer with its original, told attempt by attempt', async () => {
    const { service, ask, delivered, attempts, permits } = await askingScene()
    const { results, warnings, learnedBatchSize } = await ask([
      lookup(7, 'Utrecht'),
      lookup(8, 'Nowhere'),
      lookup(9, 'Vienna'),
    ])
    expect(results.map((result) => result.status === 'answered' && result.list)).toMatchObject([
      { candidates: [{ id: 'Q803' }, { id: 'Q776' }], truncated: false },
      { candidates: [], truncated: false },
      { candidates: [{ id: 'Q1741', name: 'Vienna', serviceMatch: true }] },
    ])
    expect(results[1]).toMatchObject({ id: 8, rawJson: '{"result":[]}' })
    expect(delivered).toEqual(results)
    expect({ warnings, learnedBatchSize }).toEqual({ warnings: [], learnedBatchSize: undefined })
    expect(service.requests).toMatchObject([{ method: 'POST' }])
    expect(attempts).toMatchObject([
      { lookupIds: [7, 8, 9], kind: 'ok', status: 200, code: null, domain: service.domain },
    ])
    expect(permits.kinds()).toEqual(['ok'])
  })

  it('delivers each batch before it sends the next', async () => {
    const { service, ask } = await askingScene(finding())
    const sentBefore: number[] = []
    await ask(numbered(6), {
      batchSize: 2,
      onAnswer: async () => {
        await Promise.resolve()
        sentBefore.push(service.requests.length)
      },
    })
    expect(sentBefore).toEqual([1, 2, 3])
  })

  it('does not send a blank name', async () => {
    const { ask, batches } = await askingScene(finding())
    const { results } = await ask([lookup(0, ' \0'), lookup(1, 'n1')])
    expect(summary(results)).toEqual(['0 failed permanent blank_query', '1 found'])
    expect(batches()).toEqual([['n1']])
  })

  it('case 20: asks with the limit given and marks a full list as truncated', async () => {
    const { ask, service } = await askingScene((request) =>
      answerEach(request, ({ limit = 0 }) =>
        Array.from({ length: limit }, (_, i) => ({ id: `Q${i}` })),
      ),
    )
    const asked = lookup(0, 'a')
    const { results } = await ask([{ ...asked, query: { ...asked.query, limit: 3 } }])
    expect(service.requests[0]?.queries?.['q0']?.limit).toBe(3)
    expect(results).toMatchObject([{ list: { truncated: true } }])
  })

  it('is cancelled by its signal, which closes the request, and delivers nothing more', async () => {
    const { service, ask, delivered, attempts, permits } = await askingScene(
      finding((names) => (names.includes('n2') ? { hang: 'before_headers' } : undefined)),
    )
    const abort = new AbortController()
    const asking = ask(numbered(4), { batchSize: 2, signal: abort.signal })
    await service.until(() => service.requests.length === 2)
    const reason = new Error('cancelled')
    abort.abort(reason)
    await expect(asking).rejects.toBe(reason)
    expect(summary(delivered)).toEqual(['0 found', '1 found'])
    expect(attempts.at(-1)).toMatchObject({ kind: 'cancelled', lookupIds: [2, 3] })
    expect(permits.kinds()).toEqual(['ok', 'cancelled'])
  })

  it('passes on what onAnswer throws, and asks no more', async () => {
    const { ask, service } = await askingScene(finding())
    const lost = new Error('database away')
    const asking = ask(numbered(4), { batchSize: 2, onAnswer: () => Promise.reject(lost) })
    await expect(asking).rejects.toBe(lost)
    expect(service.requests).toHaveLength(1)
  })
})

describe('the manifest', () => {
  const signal = new AbortController().signal

  it.each<[string, FakeAnswer, string, string]>([
    ['a page', htmlAnswer(200, 'Documentation'), 'endpoint', 'bad_manifest'],
    ['400', { status: 400 }, 'endpoint', 'bad_manifest'],
    ['error JSON', { json: { status: 'error' } }, 'endpoint', 'bad_manifest'],
    ['404', { status: 404 }, 'endpoint', 'not_found'],
    ['502', { status: 502 }, 'transient', 'bad_gateway'],
    ['429', { status: 429 }, 'throttled', 'too_many_requests'],
  ])('of %s is %s %s', async (_, answer, kind, code) => {
    const { client } = await askingScene(answer)
    await expect(client.manifest(signal)).rejects.toMatchObject({ kind, code })
  })
})

describe('case 21: redirected endpoints', () => {
  const signal = new AbortController().signal

  it.each([301, 302, 307, 308])(
    'case 21: the %d is followed once for the manifest, then batches go straight as POST',
    async (status) => {
      const target = await askingScene(finding())
      const moved = { status, headers: { location: target.service.url } }
      const { client, ask, service } = await askingScene(moved)
      expect((await client.manifest(signal)).endpoint).toBe(target.service.url)
      expect(summary((await ask(numbered(3))).results)).toEqual(allFound(3))
      expect(service.requests).toMatchObject([{ method: 'GET' }])
      expect(target.service.requests).toMatchObject([{ method: 'GET' }, { method: 'POST' }])
    },
  )

  it('case 21: a batch that meets the redirect first arrives as POST with its queries', async () => {
    const target = await askingScene(finding())
    const { ask, attempts, service } = await askingScene({
      status: 302,
      headers: { location: target.service.url },
    })
    expect(summary((await ask(numbered(2))).results)).toEqual(allFound(2))
    expect(target.batches()).toEqual([['n0', 'n1']])
    expect(attempts).toMatchObject([
      { kind: 'redirect', status: 302, domain: service.domain },
      { kind: 'ok', domain: target.service.domain },
    ])
    await ask(numbered(2))
    expect(service.requests).toHaveLength(1)
  })

  it('case 21: an address found by a redirect is forgotten when it goes away', async () => {
    const target = await askingScene(finding())
    const { service, client, ask, fail } = await askingScene(answerByName)
    service.respondOnce({ status: 302, headers: { location: target.service.url } })
    await client.manifest(signal)
    await target.service.stop()
    expect(await fail(numbered(1))).toMatchObject({ kind: 'unreachable' })
    expect((await ask([lookup(0, 'Paris')])).results).toMatchObject([{ status: 'answered' }])
  })

  it('case 21: the manifest as the answer to a batch is an error of the address', async () => {
    const { fail, delivered } = await askingScene(manifestAnswer)
    expect(await fail(numbered(3))).toMatchObject({
      kind: 'endpoint',
      code: 'manifest_instead_of_answer',
    })
    expect(delivered).toEqual([])
  })
})
