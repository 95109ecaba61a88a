/** What a broker makes of replies, when the limiter says exactly this. */
import { setMaxListeners } from 'node:events'
import { expect, it } from 'vitest'
import type { Permit, PermitRequest } from '../../../src/core/limiter/permit.ts'
import { defaultPolicy } from '../../../src/core/limiter/policy.ts'
import type {
  AcquireReply,
  AcquireRequest,
  LeaseGrant,
  LeaseRefusal,
  Priority,
  ReleaseRequest,
} from '../../../src/core/limiter/protocol.ts'
import { brokerOver } from '../../../src/limiter/permit-broker.ts'
import { VirtualClock } from './virtual-clock.ts'

const domain = 'example.org'
const signal = new AbortController().signal
setMaxListeners(20, signal)

const grant: LeaseGrant = {
  granted: true,
  leaseId: 'x-1',
  epoch: 0,
  permits: 10,
  shares: [{ project: '1', permits: 10 }],
  spacingMs: 200,
  firstDelayMs: 0,
  ttlMs: 4000,
  inFlightCap: 4,
  safeRate: 4,
  renewAfterMs: 1000,
}
const refusal: LeaseRefusal = {
  granted: false,
  reason: 'paused',
  askAgainMs: 1000,
  revoked: true,
  safeRate: 4,
}

/** Every request waits until the test answers it. */
class ScriptedLimiter {
  readonly clock = new VirtualClock()
  readonly requests: AcquireRequest[] = []
  readonly releases: ReleaseRequest[] = []
  #answer: ((reply: AcquireReply | Error) => void) | undefined
  readonly permits = brokerOver(
    {
      acquire: (_, request) => {
        this.requests.push(request)
        return new Promise((resolve, reject) => {
          this.#answer = (reply) => (reply instanceof Error ? reject(reply) : resolve(reply))
        })
      },
      release: async (_, request) => void this.releases.push(request),
      refused: () => Promise.resolve(),
    },
    {
      worker: 'a',
      policyFor: () => ({ ...defaultPolicy(domain), initialRps: 100 }),
      clock: this.clock,
      random: () => 0.5,
      log: { info: () => undefined, warn: () => undefined },
    },
  )

  async answer(reply: AcquireReply | Error): Promise<void> {
    this.#answer?.(reply)
    await this.clock.pass(0)
  }

  ask(changes: Partial<PermitRequest> = {}): { permit?: Permit } {
    const asked: { permit?: Permit } = {}
    this.permits.acquire({ domain, project: '1', signal, ...changes }).then(
      (permit) => Object.assign(asked, { permit }),
      () => undefined,
    )
    return asked
  }
}

it('a lease that crosses a refusal on its way is not spent: all of both leases goes back', async () => {
  const limiter = new ScriptedLimiter()
  const first = limiter.ask()
  await limiter.clock.pass(10)
  await limiter.answer(grant)
  expect(first.permit).toBeDefined()
  limiter.ask()
  await limiter.clock.pass(1000)
  expect(limiter.requests).toHaveLength(2)
  first.permit?.report({ kind: 'throttled', retryAfterMs: 500 })
  await limiter.clock.pass(1)
  await limiter.answer({ ...grant, leaseId: 'x-2', firstDelayMs: 1000 })
  const next = limiter.ask()
  await limiter.clock.pass(1500)
  expect(next.permit).toBeUndefined()
  expect(limiter.requests).toHaveLength(3)
  const reports = limiter.requests.flatMap((request) => request.reports)
  const handedBack = (leaseId: string) =>
    reports.reduce((sum, report) => sum + (report.leaseId === leaseId ? report.unused : 0), 0)
  // The second caller still has one permit of the first lease.
  expect(handedBack('x-1')).toBe(10 - 2)
  expect(handedBack('x-2')).toBe(10)
  expect(reports.at(-2)).toMatchObject({ throttled: 1, retryAfterMs: 500 })
})

it('what the server asked for is not lifted by a lease that comes in the middle of it', async () => {
  const limiter = new ScriptedLimiter()
  const first = limiter.ask()
  await limiter.clock.pass(10)
  await limiter.answer({ ...grant, permits: 1, renewAfterMs: 100 })
  await limiter.clock.pass(200)
  expect(limiter.requests).toHaveLength(2)
  first.permit?.report({ kind: 'throttled', retryAfterMs: 1800 })
  await limiter.answer({ ...grant, leaseId: 'x-2', epoch: 1, ttlMs: 10_000 })
  const next = limiter.ask()
  await limiter.clock.pass(1700)
  expect(next.permit).toBeUndefined()
  await limiter.clock.pass(200)
  expect(next.permit).toBeDefined()
})

it('what is left of a lease is not spent after a refusal, however short the wait', async () => {
  const limiter = new ScriptedLimiter()
  const first = limiter.ask()
  await limiter.clock.pass(10)
  await limiter.answer(grant)
  first.permit?.report({ kind: 'throttled', retryAfterMs: 200 })
  await limiter.clock.pass(300)
  const next = limiter.ask()
  await limiter.clock.pass(500)
  expect(next.permit).toBeUndefined()
  await limiter.answer({ ...grant, leaseId: 'x-2', epoch: 1 })
  expect(next.permit).toBeDefined()
})

it('a domain paused by hand stays so when its limiter falls silent', async () => {
  const limiter = new ScriptedLimiter()
  limiter.ask()
  await limiter.clock.pass(10)
  await limiter.answer(grant)
  limiter.ask()
  await limiter.clock.pass(1000)
  await limiter.answer(refusal)
  const late: { permit?: Permit }[] = []
  for (let second = 0; second < 60; second += 1) {
    late.push(limiter.ask())
    await limiter.clock.pass(1000)
    await limiter.answer(new Error('no answer'))
  }
  expect(late.filter(({ permit }) => permit !== undefined)).toEqual([])
})

it('a request that found no answer is repeated under its id, with the same reports', async () => {
  const limiter = new ScriptedLimiter()
  limiter.ask()
  await limiter.clock.pass(10)
  await limiter.answer(new Error('no answer'))
  await limiter.clock.pass(200)
  expect(limiter.requests).toHaveLength(2)
  expect(limiter.requests[1]).toEqual(limiter.requests[0])
})

it('a repeated request says what is on its way now, as the first may never have arrived', async () => {
  const limiter = new ScriptedLimiter()
  const first = limiter.ask()
  await limiter.clock.pass(10)
  await limiter.answer({ ...grant, renewAfterMs: 300 })
  await limiter.clock.pass(10)
  first.permit?.report({ kind: 'ok', latencyMs: 5 })
  await limiter.clock.pass(500)
  expect(limiter.requests[1]?.inFlight).toBe(0)
  limiter.ask()
  await limiter.clock.pass(200)
  await limiter.answer(new Error('no answer'))
  await limiter.clock.pass(200)
  expect(limiter.requests[2]).toMatchObject({
    requestId: limiter.requests[1]?.requestId,
    inFlight: 1,
  })
})

it('a request of more than four seconds ago is made anew: the lease it asked for would be over', async () => {
  const limiter = new ScriptedLimiter()
  limiter.ask()
  await limiter.clock.pass(4100)
  await limiter.answer(new Error('no answer'))
  limiter.ask()
  await limiter.clock.pass(200)
  expect(limiter.requests).toHaveLength(2)
  expect(limiter.requests[1]?.requestId).not.toBe(limiter.requests[0]?.requestId)
})

it('a lease counts from when it was first asked for, however late the answer comes', async () => {
  const limiter = new ScriptedLimiter()
  limiter.ask()
  await limiter.clock.pass(1500)
  await limiter.answer(new Error('no answer'))
  await limiter.clock.pass(500)
  limiter.ask()
  await limiter.answer(grant)
  await limiter.clock.pass(1900)
  const inTime = limiter.ask()
  await limiter.clock.pass(50)
  const tooLate = limiter.ask()
  await limiter.clock.pass(200)
  expect(inTime.permit).toBeDefined()
  expect(tooLate.permit).toBeUndefined()
})

it('a lease that is spent is named when it is released', async () => {
  const limiter = new ScriptedLimiter()
  const asked = limiter.ask()
  await limiter.clock.pass(10)
  await limiter.answer({ ...grant, permits: 1, renewAfterMs: 3000 })
  asked.permit?.report({ kind: 'ok', latencyMs: 5 })
  await limiter.clock.pass(200)
  // The limiter measures by results, so it is told as soon as all of them are there.
  expect(limiter.requests.at(-1)?.reports).toMatchObject([{ leaseId: 'x-1', sent: 1, ok: 1 }])
  await limiter.answer({ ...refusal, reason: 'no_tokens', revoked: false })
  await limiter.clock.pass(3000)
  expect(limiter.releases).toMatchObject([{ leaseIds: ['x-1'], inFlight: 0, reports: [] }])
})

const together = { ...grant, permits: 40, spacingMs: 5, inFlightCap: 40 }

it('permits of a lease go to those who are waited for first, but one in ten to the others', async () => {
  const limiter = new ScriptedLimiter()
  const served: string[] = []
  /** Four of each stand in line the whole time. */
  const stand = async (priority: Priority): Promise<never> => {
    for (;;) {
      const permit = await limiter.permits.acquire({ domain, project: '1', priority, signal })
      served.push(priority)
      permit.report({ kind: 'ok', latencyMs: 1 })
    }
  }
  for (let caller = 0; caller < 4; caller += 1) {
    void stand('background')
    void stand('interactive')
  }
  await limiter.clock.pass(10)
  const shares = [
    { project: '1', priority: 'interactive', permits: 36 },
    { project: '1', priority: 'background', permits: 4 },
  ] as const
  await limiter.answer({ ...together, shares })
  await limiter.clock.pass(500)
  const tens = [0, 10, 20, 30].map((from) => served.slice(from, from + 10))
  for (const ten of tens) {
    expect(ten.filter((priority) => priority === 'background')).toHaveLength(1)
    expect(ten.slice(0, 9)).toEqual(Array(9).fill('interactive'))
  }
})

it('what is wanted is said by priority', async () => {
  const limiter = new ScriptedLimiter()
  limiter.ask({ priority: 'interactive' })
  limiter.ask({ priority: 'background' })
  limiter.ask()
  await limiter.clock.pass(10)
  expect(limiter.requests[0]?.wants).toEqual(
    expect.arrayContaining([
      { project: '1', permits: 2, priority: 'interactive' },
      { project: '1', permits: 2, priority: 'background' },
      { project: '1', permits: 2 },
    ]),
  )
})

it('reports carry retries, who waited long, what it cost and the limits the server published', async () => {
  const limiter = new ScriptedLimiter()
  const first = limiter.ask()
  const second = limiter.ask({ attempt: 2 })
  const third = limiter.ask({ attempt: 3 })
  await limiter.clock.pass(10)
  // The third permit comes after 1.2 s, the others sooner.
  await limiter.answer({ ...grant, permits: 3, spacingMs: 600, renewAfterMs: 3000 })
  await limiter.clock.pass(1300)
  const published = [{ quota: 100, windowMs: 60_000 }]
  first.permit?.report({ kind: 'ok', latencyMs: 5, cost: 2.5 })
  second.permit?.report({ kind: 'ok', latencyMs: 5, published })
  third.permit?.report({ kind: 'neutral', cost: 0.5 })
  await limiter.clock.pass(300)
  expect(limiter.requests.at(-1)?.reports).toMatchObject([
    { sent: 3, ok: 2, neutral: 1, cost: 4, retries: 2, waited: 1, published },
  ])
})
