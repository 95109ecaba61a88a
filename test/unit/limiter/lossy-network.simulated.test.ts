/**
 * Real brokers and a real limiter with a bad network between them: messages are late, lost on the way there or back,
 * and delivered twice; processes die with all they have. Seen from the server, nothing may be wrong.
 */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { defaultPolicy, type DomainPolicy } from '../../../src/core/limiter/policy.ts'
import { OutsideCallError } from '../../../src/errors.ts'
import { createInProcessChannel } from '../../../src/limiter/in-process-channel.ts'
import type { LimiterChannel } from '../../../src/limiter/limiter-channel.ts'
import { brokerOver, type PermitBroker } from '../../../src/limiter/permit-broker.ts'
import { VirtualClock } from './virtual-clock.ts'

const DOMAIN = 'example.org'
const RPS = 20
const CAP = 4
const policy: DomainPolicy = {
  ...defaultPolicy(DOMAIN),
  strategy: 'fixed',
  initialRps: RPS,
  maxRps: RPS,
  maxInFlight: CAP,
}
const LATEST_MS = 150
/** No silence is longer by more than a try: from 4 s on a process would go on alone, which is another story. */
const CUT_OFF_MS = 1500
const CALLERS = 4
const silent = { info: () => undefined, warn: () => undefined }

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

class Scene {
  readonly clock = new VirtualClock()
  readonly sentAtMs: number[] = []
  mostInFlight = 0
  readonly random: () => number
  /** Part of the messages that are lost on the way there, and of the answers on the way back. */
  lossy: number
  readonly #inFlight = new Map<string, number>()
  readonly #dead = new Set<string>()
  /** Sent by a process that held no lease, or only leases that were over. */
  sentWithoutLease = 0
  /** By process, until when each lease it heard of may be spent. */
  readonly #untilMs = new Map<string, number[]>()
  readonly #askedMs = new Map<string, number>()
  /** Until when a process reaches nobody. */
  readonly #cutOffMs = new Map<string, number>()
  readonly #limiter: LimiterChannel

  constructor(seed: number, lossy: number) {
    this.random = seeded(seed)
    this.lossy = lossy
    const { clock, random } = this
    this.#limiter = createInProcessChannel({ policyFor: () => policy, clock, random })
  }

  start(worker: string): void {
    const { clock, random } = this
    const options = { worker, policyFor: () => policy, clock, random, log: silent }
    const permits = brokerOver(this.#networkOf(worker), options)
    for (let caller = 0; caller < CALLERS; caller += 1) void this.#call(worker, permits)
  }

  /** Its connections are closed, its messages end, and it does nothing more. */
  kill(worker: string): void {
    this.#dead.add(worker)
    this.#inFlight.delete(worker)
  }

  async #call(worker: string, permits: PermitBroker): Promise<void> {
    const signal = new AbortController().signal
    while (!this.#dead.has(worker)) {
      try {
        const permit = await permits.acquire({ domain: DOMAIN, project: '1', signal })
        if (this.#dead.has(worker)) return
        const nowMs = this.clock.nowMs()
        this.sentAtMs.push(nowMs)
        const isLeased = this.#untilMs.get(worker)?.some((untilMs) => nowMs < untilMs) === true
        if (!isLeased) this.sentWithoutLease += 1
        this.#inFlight.set(worker, (this.#inFlight.get(worker) ?? 0) + 1)
        const onTheirWay = [...this.#inFlight.values()].reduce((sum, count) => sum + count, 0)
        this.mostInFlight = Math.max(this.mostInFlight, onTheirWay)
        await this.clock.sleep(20 + 150 * this.random())
        if (this.#dead.has(worker)) return
        this.#inFlight.set(worker, (this.#inFlight.get(worker) ?? 0) - 1)
        permit.report({ kind: 'ok', latencyMs: 100 })
      } catch (error) {
        if (!(error instanceof OutsideCallError)) throw error
        await this.clock.sleep(error.retryAfterMs ?? 0)
      }
    }
  }

  #networkOf(worker: string): LimiterChannel {
    let silentSinceMs: number | undefined
    const travel = async () => {
      await this.clock.sleep(LATEST_MS * this.random())
      if (this.#dead.has(worker)) return new Promise<never>(() => undefined)
      const nowMs = this.clock.nowMs()
      if (this.random() < this.lossy / 4) this.#cutOffMs.set(worker, nowMs + CUT_OFF_MS)
      const isCutOff = nowMs < (this.#cutOffMs.get(worker) ?? 0)
      if (!isCutOff && this.random() >= this.lossy) return undefined
      silentSinceMs ??= nowMs
      if (nowMs - silentSinceMs >= CUT_OFF_MS) return undefined
      throw new Error('no answer')
    }
    const deliver = async <T>(call: () => Promise<T>): Promise<T> => {
      await travel()
      if (this.random() < this.lossy) {
        void this.clock.sleep(500 * this.random()).then(call)
      }
      const answer = await call()
      await travel()
      silentSinceMs = undefined
      return answer
    }
    return {
      acquire: async (domain, request) => {
        const askedMs = this.#askedMs.get(request.requestId) ?? this.clock.nowMs()
        this.#askedMs.set(request.requestId, askedMs)
        const reply = await deliver(() => this.#limiter.acquire(domain, request))
        if (!reply.granted) return reply
        const others = this.#untilMs.get(worker) ?? []
        this.#untilMs.set(worker, [...others, askedMs + reply.ttlMs])
        return reply
      },
      release: (domain, request) => deliver(() => this.#limiter.release(domain, request)),
      refused: (domain, notice) => deliver(() => this.#limiter.refused(domain, notice)),
    }
  }
}

/** The most that was sent in any time of this length. */
function mostIn(sentAtMs: readonly number[], windowMs: number): number {
  return sentAtMs.reduce((most, fromMs, first) => {
    const after = sentAtMs.findIndex((atMs) => atMs >= fromMs + windowMs)
    return Math.max(most, (after === -1 ? sentAtMs.length : after) - first)
  }, 0)
}

it('whatever the network and whoever dies: no send beyond the rate, none by an expired lease, none beyond the cap', async () => {
  const deaths = fc.array(fc.record({ afterMs: fc.integer({ min: 500, max: 9000 }) }), {
    maxLength: 3,
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 2 ** 30 }),
      fc.double({ min: 0, max: 0.25, noNaN: true }),
      deaths,
      async (seed, lossy, deadlyMoments) => {
        const scene = new Scene(seed, lossy)
        for (const worker of ['w0', 'w1', 'w2']) scene.start(worker)
        for (const [index, { afterMs }] of deadlyMoments.entries()) {
          await scene.clock.pass(afterMs)
          scene.kill(`w${index}`)
          scene.start(`w${index + 3}`)
        }
        await scene.clock.pass(8000)
        scene.lossy = 0
        await scene.clock.pass(15_000)
        expect(scene.sentWithoutLease).toBe(0)
        expect(scene.mostInFlight).toBeLessThanOrEqual(CAP)
        // A lease may be spent a quarter of a second late, and so much of it may be caught up.
        const slackMs = 300
        for (const windowMs of [500, 2000, 8000]) {
          const most = (RPS * (windowMs + slackMs)) / 1000 + 1
          expect(mostIn(scene.sentAtMs, windowMs), `in ${windowMs} ms`).toBeLessThanOrEqual(most)
        }
        // And once messages come through again, all of the rate is used.
        const endMs = scene.clock.nowMs()
        const last = scene.sentAtMs.filter((atMs) => atMs >= endMs - 5000)
        expect(last.length).toBeGreaterThan(0.75 * RPS * 5)
      },
    ),
    { numRuns: 8 },
  )
})
