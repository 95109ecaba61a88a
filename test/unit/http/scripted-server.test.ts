/** Step 10 of the source document's testing strategy: a real server that answers by a script, and what becomes of the rate. */
import { expect, it } from 'vitest'
import type { CallOutcome, Permits } from '../../../src/core/limiter/permit.ts'
import type { LeaseReport } from '../../../src/core/limiter/protocol.ts'
import { snapshotOf } from '../../../src/core/limiter/snapshot.ts'
import type { FakeAnswer } from '../../support/fake-reconciliation-service.ts'
import { LimiterAt } from '../core/limiter/limiter-at.ts'
import { httpScene } from './http-scene.ts'

const fields: Readonly<Record<CallOutcome['kind'], Partial<LeaseReport>>> = {
  ok: { ok: 1 },
  throttled: { throttled: 1 },
  overload: { overloaded: 1, failuresInARow: 1 },
  failed: { failed: 1, failuresInARow: 1 },
  neutral: { neutral: 1 },
  cancelled: { cancelled: 1 },
}

/** One lease per request, told to the limiter as soon as the request has ended; time passes only in answers and waits. */
function oneByOne(limiter: LimiterAt): Permits {
  return {
    async acquire({ domain }) {
      let reply = limiter.acquire('a', 1)
      while (!reply.granted) {
        limiter.nowMs += reply.askAgainMs
        reply = limiter.acquire('a', 1)
      }
      const lease = reply
      limiter.nowMs += lease.firstDelayMs
      return {
        domain,
        giveBack: () => limiter.report('a', lease, { unused: 1 }),
        report: ({ kind, latencyMs = 0, retryAfterMs }) => {
          const latency = { count: 1, meanMs: latencyMs, p95Ms: latencyMs }
          limiter.report('a', lease, {
            ...fields[kind],
            ...(kind === 'ok' ? { latency } : {}),
            ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
          })
        },
      }
    },
  }
}

it('step 10: 200, slow 200, 429, 200 …, then only 503: the rate follows, the breaker opens in 5 s and closes by itself', async () => {
  const limiter = new LimiterAt({
    strategy: 'aimd',
    initialRps: 4,
    maxRps: 20,
    aimdIncrease: 0.2,
    aimdDecrease: 0.5,
    consecutiveFailThreshold: 5,
  })
  limiter.random = 0.5
  const clocks = { wallMs: () => limiter.nowMs, monotonicMs: () => limiter.nowMs }
  const { service, ask } = await httpScene({ json: {} }, { permits: oneByOne(limiter), clocks })
  const rate = () => snapshotOf(limiter.state).fillRate
  /** Sends one request, answered so after so long. @returns The rate after it. */
  const send = async (answer: FakeAnswer, takesMs = 20): Promise<number> => {
    service.respondOnce(() => {
      limiter.nowMs += takesMs
      return answer
    })
    await ask().catch(() => undefined)
    return rate()
  }

  for (let good = 0; good < 20; good += 1) await send({ json: {} })
  const grown = rate()
  const elapsedS = limiter.state.clockMs / 1000
  expect(grown).toBeGreaterThan(4)
  expect(grown).toBeLessThanOrEqual(4 + 0.2 * elapsedS)

  // Several times as slow as usual: no growth, and no decrease either.
  for (let slow = 0; slow < 4; slow += 1) await send({ json: {} }, 400)
  const unmoved = rate()
  expect(await send({ json: {} }, 400)).toBe(unmoved)

  const sentAt = limiter.nowMs
  await send({ status: 429, headers: { 'retry-after': '3' } })
  expect(snapshotOf(limiter.state)).toMatchObject({ hold: 'retry_after', state: 'closed' })
  await send({ json: {} })
  expect(limiter.nowMs - sentAt).toBeGreaterThanOrEqual(3000)
  limiter.nowMs += 2000
  limiter.send({ kind: 'tick' })
  expect(rate()).toBeGreaterThanOrEqual(unmoved / 2)
  expect(rate()).toBeLessThan(unmoved / 2 + 0.2 * 6)

  const failingFrom = limiter.nowMs
  while (snapshotOf(limiter.state).state === 'closed') await send({ status: 503 })
  expect(limiter.nowMs - failingFrom).toBeLessThan(5000)
  expect(snapshotOf(limiter.state)).toMatchObject({ hold: 'breaker_open', consecutiveFails: 5 })
  const openMs = snapshotOf(limiter.state).nextEarliest
  expect(openMs).toBeGreaterThan(4900)

  const openedAt = limiter.nowMs
  await send({ json: {} })
  expect(limiter.nowMs - openedAt).toBeGreaterThanOrEqual(openMs)
  expect(snapshotOf(limiter.state).state).toBe('half_open')
  for (let probe = 1; probe < 3; probe += 1) await send({ json: {} })
  expect(snapshotOf(limiter.state)).toMatchObject({ state: 'closed', consecutiveFails: 0 })
})
