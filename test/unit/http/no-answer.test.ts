import { describe, expect, it } from 'vitest'
import type { FakeAnswer } from '../../support/fake-reconciliation-service.ts'
import { httpScene } from './http-scene.ts'
import { recordingPermits } from './recording-permits.ts'

describe('no answer', () => {
  it('is unreachable when the connection is refused, and works again after a restart', async () => {
    const { service, permits, ask, fail } = await httpScene()
    await service.stop()
    expect(await fail()).toMatchObject({ kind: 'unreachable', code: 'connection_refused' })
    expect(permits.kinds()).toEqual(['failed'])
    await service.restart()
    expect((await ask()).status).toBe(200)
  })

  it('is transient when headers or body stop coming or the connection is reset', async () => {
    // Side by side, since undici's timers have a resolution of a second.
    const cases: readonly [FakeAnswer, string, string][] = [
      [{ hang: 'before_headers' }, 'headers_timeout', 'overload'],
      [{ body: 'abcd', hang: 'in_body' }, 'body_timeout', 'overload'],
      [{ drop: 'at_once' }, 'connection_reset', 'failed'],
      [{ body: 'abcd', drop: 'in_body' }, 'connection_reset', 'failed'],
    ]
    const seen = cases.map(async ([answer]) => {
      const { permits, fail } = await httpScene(answer, { timeouts: { headersMs: 30, bodyMs: 30 } })
      const { kind, code } = await fail()
      return [kind, code, ...permits.kinds()]
    })
    expect(await Promise.all(seen)).toEqual(
      cases.map(([, code, outcome]) => ['transient', code, outcome]),
    )
  })

  it('is transient when the whole takes too long, and the connection is closed', async () => {
    const { service, permits, fail } = await httpScene({ hang: 'before_headers' })
    expect(await fail({ timeouts: { totalMs: 30 } })).toMatchObject({ code: 'total_timeout' })
    expect(permits.kinds()).toEqual(['overload'])
    await service.until(() => service.openConnections() === 0)
    expect(service.abortedRequests()).toBe(1)
  })

  it('does not count when the process was asleep meanwhile', async () => {
    let asleepMs = 0
    const clocks = {
      wallMs: () => Date.now() + asleepMs,
      monotonicMs: () => performance.now(),
    }
    const { service, permits, fail } = await httpScene({ hang: 'before_headers' }, { clocks })
    const failing = fail()
    await service.until(() => service.requests.length === 1)
    asleepMs = 60_000
    await service.stop()
    expect(await failing).toMatchObject({ kind: 'unreachable', code: 'suspended' })
    expect(permits.kinds()).toEqual(['cancelled'])
  })
})

describe('cancelling', () => {
  it.each<[string, FakeAnswer]>([
    ['before the answer', { hang: 'before_headers' }],
    ['in the middle of the body', { body: 'abcd', hang: 'in_body' }],
  ])('%s closes the socket, reports it and rejects with the reason', async (_, answer) => {
    const { service, permits, ask } = await httpScene(answer)
    const abort = new AbortController()
    const asking = ask({ signal: abort.signal })
    await service.until(() => service.requests.length === 1)
    const reason = new Error('the run was cancelled')
    abort.abort(reason)
    await expect(asking).rejects.toBe(reason)
    expect(permits.kinds()).toEqual(['cancelled'])
    await service.until(() => service.openConnections() === 0)
    expect(service.abortedRequests()).toBe(1)
  })

  it('while waiting for the permit gives it back unsent', async () => {
    const abort = new AbortController()
    const permits = recordingPermits(() => abort.abort(new Error('cancelled')))
    const { service, ask } = await httpScene({ json: {} }, { permits })
    await expect(ask({ signal: abort.signal })).rejects.toThrow('cancelled')
    expect(permits.kinds()).toEqual(['given_back'])
    expect(service.requests).toHaveLength(0)
  })

  it('a request whose headers are no headers gives the permit back', async () => {
    const { service, permits, fail } = await httpScene()
    expect(await fail({ headers: { 'x-key': 'a\nb' } })).toMatchObject({
      code: 'UND_ERR_INVALID_ARG',
    })
    expect(permits.kinds()).toEqual(['given_back'])
    expect(service.requests).toHaveLength(0)
  })

  it('closing the client ends what is under way and sends nothing more', async () => {
    const { service, http, permits, fail } = await httpScene({ hang: 'before_headers' })
    const failing = fail()
    await service.until(() => service.requests.length === 1)
    await http.close()
    expect(await failing).toMatchObject({ name: 'UnavailableError', code: 'http_client_closed' })
    expect(await fail()).toMatchObject({ code: 'http_client_closed' })
    expect(permits.kinds()).toEqual(['cancelled'])
  })
})
