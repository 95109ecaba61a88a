import { describe, expect, it } from 'vitest'
import { type FakeAnswer } from '../../../support/fake-reconciliation-service.ts'
import { allFound, askingScene, finding, lookup, numbered, summary } from './asking-scene.ts'

describe('case 17: one bad query', () => {
  const errorJson = { status: 'error', message: 'x', details: 'n6', arguments: {} }

  it.each<[string, FakeAnswer, string]>([
    ['error JSON with 200', { json: errorJson }, 'transient service_error'],
    ['error JSON with 403', { status: 403, json: errorJson }, 'transient service_error'],
    ['400', { status: 400 }, 'permanent bad_request'],
    ['500', { status: 500 }, 'transient server_error'],
    ['JSON that breaks off', { body: '{"q0": {"result": [' }, 'transient malformed_answer'],
  ])('case 17: %s is bisected, the other nine succeed', async (_, answer, failure) => {
    const { ask, batches } = await askingScene(
      finding((names) => (names.includes('n6') ? answer : undefined)),
    )
    const { results, learnedBatchSize } = await ask(numbered(10))
    expect(summary(results)).toEqual(allFound(10).with(6, `6 failed ${failure}`))
    expect(batches().length).toBeLessThanOrEqual(9)
    // It was not the size.
    expect(learnedBatchSize).toBeUndefined()
  })

  it('case 17: a lookup that failed before is asked alone, after the fresh ones', async () => {
    const { ask, batches, permits } = await askingScene(finding())
    await ask([lookup(0, 'n0', 1), ...numbered(4).slice(1), lookup(4, 'n4', 2)])
    expect(batches()).toEqual([['n1', 'n2', 'n3'], ['n0'], ['n4']])
    expect(permits.granted.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
  })

  it('case 17: two bad ones stop the call, and cost the innocent one attempt at most', async () => {
    const bad = ['n1', 'n6']
    const { fail, ask, delivered, batches } = await askingScene(
      finding((names) => (names.some((name) => bad.includes(name)) ? { status: 500 } : undefined)),
    )
    expect(await fail(numbered(8))).toMatchObject({ kind: 'transient', code: 'server_error' })
    expect(batches()).toHaveLength(3)
    expect(summary(delivered)).toEqual(
      Array.from({ length: 8 }, (_, i) => `${i} failed transient server_error`),
    )
    const { results } = await ask(numbered(8, 1))
    expect(summary(results).filter((line) => line.includes('failed'))).toEqual([
      '1 failed transient server_error',
      '6 failed transient server_error',
    ])
  })

  it('case 17: a bisection cut short by a throttle costs one attempt, so that the next gets further', async () => {
    const { service, fail, ask, delivered } = await askingScene(
      finding((names) => (names.includes('n3') ? { status: 400 } : undefined)),
    )
    service.respondOnce({ status: 400 }, { status: 429 })
    expect(await fail(numbered(4))).toMatchObject({ kind: 'throttled' })
    expect(summary(delivered)).toEqual(
      [0, 1, 2, 3].map((id) => `${id} failed transient bad_request`),
    )
    const { results } = await ask(numbered(4, 1))
    expect(summary(results)).toEqual(allFound(4).with(3, '3 failed permanent bad_request'))
  })

  it('case 17: many bad ones with good ones between them are just bad', async () => {
    const { ask } = await askingScene(
      finding((names) =>
        names.some((name) => Number(name.slice(1)) % 6 !== 0) ? { status: 400 } : undefined,
      ),
    )
    const { results } = await ask(numbered(18))
    expect(summary(results).filter((line) => line.endsWith('permanent bad_request'))).toHaveLength(
      15,
    )
  })

  it('case 17: refusing everybody is a fault of the address, not of the lookups', async () => {
    const { fail, delivered } = await askingScene(finding(() => ({ status: 400 })))
    const error = await fail(numbered(30))
    expect(error).toMatchObject({ kind: 'endpoint', code: 'every_query_refused' })
    const permanent = delivered.filter((r) => r.status === 'failed' && r.error.kind === 'permanent')
    expect(permanent).toHaveLength(10)
  })
})

describe('case 18: 504 in the middle', () => {
  it('case 18: a batch that fails twice and then works leaves every row decided', async () => {
    const { service, ask, delivered } = await askingScene(finding())
    service.respondOnce(
      ...Array.from({ length: 3 }, () => finding()),
      { status: 504 },
      { status: 504 },
    )
    const { results } = await ask(numbered(60))
    expect(summary(results)).toEqual(allFound(60))
    expect(delivered).toHaveLength(60)
  })

  it('case 18: if it never works, exactly its rows have failed, once each', async () => {
    const down = numbered(40)
      .slice(30)
      .map(({ query }) => query.query)
    const { fail, delivered, attempts } = await askingScene(
      finding((names) => (names.some((name) => down.includes(name)) ? { status: 504 } : undefined)),
    )
    const error = await fail(numbered(40))
    expect(error).toMatchObject({ kind: 'transient', code: 'gateway_timeout' })
    expect(summary(delivered)).toEqual(
      allFound(40).map((line, id) => (id < 30 ? line : `${id} failed transient gateway_timeout`)),
    )
    expect(attempts.map(({ kind }) => kind)).toEqual([
      'ok',
      'ok',
      'ok',
      'transient',
      'transient',
      'transient',
    ])
  })

  it('case 18: three failures in a row stop the call: a service that is down is left alone', async () => {
    const { service, fail, delivered } = await askingScene({ status: 504 })
    await fail(numbered(100))
    expect(service.requests).toHaveLength(3)
    // Nobody pays who was not asked.
    expect(delivered.length).toBeLessThan(100)
    expect(new Set(delivered.map(({ id }) => id)).size).toBe(delivered.length)
  })

  it.each<[FakeAnswer, string, string]>([
    [{ status: 503, headers: { 'retry-after': '9' } }, 'throttled', 'service_busy'],
    [{ status: 401 }, 'endpoint', 'unauthorised'],
  ])('case 18: %j is not an attempt of anybody', async (answer, kind, code) => {
    const { service, fail, delivered } = await askingScene(finding())
    service.respondOnce(finding(), answer)
    expect(await fail(numbered(20))).toMatchObject({ kind, code })
    expect(summary(delivered)).toEqual(allFound(10))
  })

  it('case 18: a refused connection is not an attempt of anybody', async () => {
    const { service, fail, ask, delivered } = await askingScene(finding())
    await service.stop()
    expect(await fail(numbered(20))).toMatchObject({ kind: 'unreachable' })
    expect(delivered).toEqual([])
    await service.restart()
    expect(summary((await ask(numbered(20))).results)).toEqual(allFound(20))
  })
})
