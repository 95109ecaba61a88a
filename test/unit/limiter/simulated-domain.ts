/** A domain in simulated time: an origin that writes down what it is asked, and processes that ask it. */
import { defaultPolicy, type DomainPolicy } from '../../../src/core/limiter/policy.ts'
import type { CallOutcome, Permit } from '../../../src/core/limiter/permit.ts'
import type {
  AcquireRequest,
  DomainSnapshot,
  Priority,
  RefusedNotice,
} from '../../../src/core/limiter/protocol.ts'
import { OutsideCallError } from '../../../src/errors.ts'
import type { LimiterEvent } from '../../../src/core/limiter/step.ts'
import {
  createInProcessChannel,
  type InProcessChannel,
} from '../../../src/limiter/in-process-channel.ts'
import type { LimiterChannel } from '../../../src/limiter/limiter-channel.ts'
import {
  brokerOver,
  type PermitBroker,
  type PermitBrokerOptions,
} from '../../../src/limiter/permit-broker.ts'
import { VirtualClock } from './virtual-clock.ts'

export const DOMAIN = 'example.org'

export interface SimulatedDomainOptions {
  /** On top of the shipped one; its rate is fixed at `maxRps` unless a strategy is named. */
  readonly policy?: Partial<DomainPolicy>
  /** Of a message to the limiter and of its answer, each. */
  readonly messageMs?: number
  readonly answer?: (nowMs: number, earlier: number) => CallOutcome
  readonly latencyMs?: number
}

interface Caller {
  readonly project: string
  readonly priority: Priority
  readonly signal: AbortSignal
}

/** A rate the test knows: nothing is learned. */
function fixedRate(policy: DomainPolicy): DomainPolicy {
  return policy.strategy === 'fixed' ? { ...policy, initialRps: policy.maxRps } : policy
}

export class SimulatedDomain {
  readonly clock = new VirtualClock()
  readonly sentAtMs: number[] = []
  readonly sentBy: string[] = []
  readonly turnedAway: number[] = []
  inFlight = 0
  mostInFlight = 0
  /** While true every message to the limiter is lost. */
  isLimiterAway = false
  /** While true every message arrives, and no answer does. */
  isLimiterMute = false
  readonly acquires: AcquireRequest[] = []
  readonly notices: RefusedNotice[] = []
  messages = { acquire: 0, release: 0, refused: 0 }
  readonly #options: SimulatedDomainOptions
  #channel: InProcessChannel
  readonly policy: DomainPolicy
  #seed = 1

  constructor(options: SimulatedDomainOptions = {}) {
    this.#options = options
    this.policy = fixedRate({ ...defaultPolicy(DOMAIN), strategy: 'fixed', ...options.policy })
    this.#channel = this.#newLimiter()
  }

  /** What an operator says to the limiter; it arrives at once. */
  say(event: LimiterEvent): void {
    this.#channel.tell(DOMAIN, event)
  }

  /** A new limiter takes the place of the old one and knows nothing of it. */
  forgetLimiter(): void {
    this.#channel = this.#newLimiter()
  }

  /** Repeatable chance. */
  readonly random = (): number => {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647
    return this.#seed / 2_147_483_647
  }

  process(worker: string, onSnapshot?: PermitBrokerOptions['onSnapshot']): PermitBroker {
    const silent = { info: () => undefined, warn: () => undefined }
    return brokerOver(this.#overNetwork(), {
      worker,
      policyFor: () => this.policy,
      clock: this.clock,
      random: this.random,
      log: silent,
      ...(onSnapshot === undefined ? {} : { onSnapshot }),
    })
  }

  /** A caller that asks again and again, as an activity would, until stopped. */
  caller(permits: PermitBroker, caller: Partial<Caller> = {}): void {
    const signal = new AbortController().signal
    void this.#askForEver(permits, { project: '1', priority: 'normal', signal, ...caller })
  }

  /** What the limiter shows of itself. */
  async snapshot(): Promise<DomainSnapshot | undefined> {
    const wants: [] = []
    const request = { worker: 'onlooker', requestId: 'look', wants, inFlight: 0, reports: [] }
    return (await this.#channel.acquire(DOMAIN, { ...request, snapshot: true })).snapshot
  }

  async send(permit: Permit, project: string): Promise<CallOutcome> {
    const { answer, latencyMs = 100 } = this.#options
    const nowMs = this.clock.nowMs()
    const outcome = answer?.(nowMs, this.sentAtMs.length) ?? { kind: 'ok', latencyMs }
    this.sentAtMs.push(nowMs)
    this.sentBy.push(project)
    this.inFlight += 1
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight)
    await this.clock.sleep(latencyMs)
    this.inFlight -= 1
    permit.report(outcome)
    return outcome
  }

  sentBetween(fromMs: number, toMs: number): number {
    return this.sentAtMs.filter((atMs) => atMs >= fromMs && atMs < toMs).length
  }

  async #askForEver(permits: PermitBroker, caller: Caller): Promise<void> {
    const { project, signal } = caller
    while (!signal.aborted) {
      try {
        const permit = await permits.acquire({ domain: DOMAIN, ...caller })
        await this.send(permit, project)
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof OutsideCallError)) throw error
        this.turnedAway.push(error.retryAfterMs ?? 0)
        await this.clock.sleep(error.retryAfterMs ?? 0)
      }
    }
  }

  #newLimiter(): InProcessChannel {
    const { clock, random } = this
    return createInProcessChannel({ policyFor: () => this.policy, clock, random })
  }

  #overNetwork(): LimiterChannel {
    const deliver = async <T>(kind: keyof typeof this.messages, call: () => Promise<T>) => {
      this.messages[kind] += 1
      await this.clock.sleep(this.#options.messageMs ?? 20)
      if (this.isLimiterAway) throw new Error('no answer')
      const answer = await call()
      if (this.isLimiterMute) throw new Error('no answer')
      await this.clock.sleep(this.#options.messageMs ?? 20)
      return answer
    }
    return {
      acquire: (domain, request) => {
        this.acquires.push(request)
        return deliver('acquire', () => this.#channel.acquire(domain, request))
      },
      release: (domain, request) =>
        deliver('release', () => this.#channel.release(domain, request)),
      refused: (domain, notice) => {
        this.notices.push(notice)
        return deliver('refused', () => this.#channel.refused(domain, notice))
      },
    }
  }
}
