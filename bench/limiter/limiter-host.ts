/**
 * Where the limiters run: the real `step`, behind a network that delays messages and may lose them.
 *
 * It does what the workflow around `step` does: loads, counts updates, continues as new (the state goes
 * through JSON), ends when idle and comes back with what it saved. And it watches, without being seen:
 * who holds what, how much of the rate is out, who was told to wait.
 */
import { currentRate } from '../../src/core/limiter/current-rate.ts'
import { initialState, leaseRps, type LimiterState } from '../../src/core/limiter/limiter-state.ts'
import type { DomainPolicy } from '../../src/core/limiter/policy.ts'
import type { AcquireReply, ProjectWant } from '../../src/core/limiter/protocol.ts'
import { SAFE_AFTER_MS } from '../../src/core/limiter/safe-rate.ts'
import { readSavedState } from '../../src/core/limiter/saved-state.ts'
import { step, type LimiterEvent } from '../../src/core/limiter/step.ts'
import type { LimiterChannel } from '../../src/limiter/limiter-channel.ts'
import type { Network } from './network.ts'
import type { DomainLog } from './run-log.ts'
import type { Random } from './seeded-random.ts'
import type { VirtualClock } from './virtual-clock.ts'

export interface LimiterHostOptions {
  readonly clock: VirtualClock
  readonly random: Random
  readonly network: Network
  readonly policyFor: (domain: string) => DomainPolicy
  readonly logFor: (domain: string) => DomainLog
  /** Share of a project in a full domain. Default 1. */
  readonly weightOf?: ((project: string) => number) | undefined
  /** Called after each message, to look at what was learned. */
  readonly onStep?: ((step: ObservedStep) => void) | undefined
}

export interface ObservedStep {
  readonly nowMs: number
  readonly event: LimiterEvent
  readonly before: LimiterState
  readonly after: LimiterState
}

interface Limiter {
  state: LimiterState
  lastMessageMs: number
  updates: number
  /** Until when each worker's leases are counted as live. */
  readonly leasedUntilMs: Map<string, number>
  pausedUntilMs: number
}

/** A message without an answer is given up after this, as in `temporal-channel.ts`. */
const ANSWER_DEADLINE_MS = 5_000
/** As in `domain-limiter.ts`. */
const UPDATES_PER_RUN = 700
/** Some day of 2026; its value does not matter. */
const HOST_EPOCH_MS = 1_790_000_000_000

export class LimiterHost {
  readonly #options: LimiterHostOptions
  readonly #limiters = new Map<string, Limiter>()
  /** By domain and worker: when the first message was sent that found no answer yet. */
  readonly #unansweredMs = new Map<string, number>()
  #hostShiftMs = 0
  #updatesPerRun = UPDATES_PER_RUN
  #awayUntilMs = -Infinity
  #isMoving = false

  constructor(options: LimiterHostOptions) {
    this.#options = options
  }

  channel(worker: string): LimiterChannel {
    const { network } = this.#options
    const answered = async (domain: string): Promise<void> => {
      await network.oneWay()
      this.#unansweredMs.delete(`${domain} ${worker}`)
    }
    return {
      acquire: async (domain, request) => {
        this.#noteMessage(domain, worker)
        const wants = request.wants.map((want) => this.#weighted(want))
        const event: LimiterEvent = { kind: 'acquire', request: { ...request, wants } }
        const reply = await this.#deliver(domain, event)
        if (reply === undefined) throw new Error(`step did not answer an acquire of ${domain}`)
        if (reply.granted) this.#noteLease(domain, worker)
        await answered(domain)
        return reply
      },
      release: async (domain, request) => {
        this.#noteMessage(domain, worker)
        await this.#deliver(domain, { kind: 'release', request })
        await answered(domain)
        return undefined
      },
      refused: async (domain, notice) => {
        await this.#deliver(domain, { kind: 'refused', notice })
      },
    }
  }

  stateOf(domain: string): LimiterState | undefined {
    return this.#limiters.get(domain)?.state
  }

  /** All messages are lost for so long. */
  goAway(forMs: number): void {
    this.#isMoving = false
    this.#awayUntilMs = this.#options.clock.nowMs() + forMs
  }

  /** To another process: messages wait for so long. */
  move(forMs: number): void {
    this.#isMoving = true
    this.#awayUntilMs = this.#options.clock.nowMs() + forMs
  }

  /** The host's clock jumps. */
  shiftClock(byMs: number): void {
    this.#hostShiftMs += byMs
  }

  /** This worker has heard nothing for so long that it may go on by itself. */
  isSilentTo(domain: string, worker: string): boolean {
    const sinceMs = this.#unansweredMs.get(`${domain} ${worker}`) ?? Infinity
    return this.#options.clock.nowMs() - sinceMs >= SAFE_AFTER_MS
  }

  continueAsNewEvery(updates: number): void {
    this.#updatesPerRun = updates
  }

  /** The server has asked everybody to wait, and the limiter knows. */
  isPaused(domain: string): boolean {
    return this.#options.clock.nowMs() < (this.#limiters.get(domain)?.pausedUntilMs ?? -Infinity)
  }

  holdsLease(domain: string, worker: string): boolean {
    const untilMs = this.#limiters.get(domain)?.leasedUntilMs.get(worker) ?? -Infinity
    return this.#options.clock.nowMs() <= untilMs
  }

  /** The worker whose lease runs now. */
  holder(domain: string): string | undefined {
    const state = this.stateOf(domain)
    const holds = ([, { leases }]: [string, LimiterState['workers'][string]]): boolean =>
      leases.some(({ startMs, endMs }) => startMs <= state!.clockMs && endMs > state!.clockMs)
    return state && Object.entries(state.workers).find(holds)?.[0]
  }

  async #deliver(domain: string, event: LimiterEvent): Promise<AcquireReply | undefined> {
    const { network, clock } = this.#options
    const sentMs = clock.nowMs()
    await network.oneWay()
    const awayForMs = this.#awayUntilMs - clock.nowMs()
    if (awayForMs > 0) {
      const leftMs = sentMs + ANSWER_DEADLINE_MS - clock.nowMs()
      await clock.sleep(this.#isMoving ? Math.min(awayForMs, leftMs) : leftMs)
      if (!this.#isMoving || awayForMs > leftMs) throw new Error('no answer from the limiter')
    }
    return this.#apply(domain, event)
  }

  #apply(domain: string, event: LimiterEvent): AcquireReply | undefined {
    const { random, logFor, onStep, clock } = this.#options
    const limiter = this.#limiter(domain)
    const before = limiter.state
    const result = step(before, event, this.#hostMs, random())
    limiter.state = result.state
    limiter.lastMessageMs = clock.nowMs()
    const log = logFor(domain)
    if (event.kind === 'refused') log.signals += 1
    else this.#countUpdate(limiter, log)
    this.#watch(limiter, log, before)
    onStep?.({ nowMs: clock.nowMs(), event, before, after: result.state })
    return result.replies[0]
  }

  #countUpdate(limiter: Limiter, log: DomainLog): void {
    log.updates += 1
    limiter.updates += 1
    if (limiter.updates < this.#updatesPerRun) return
    limiter.updates = 0
    limiter.state = throughJson(limiter.state)
  }

  #watch(limiter: Limiter, log: DomainLog, before: LimiterState): void {
    const nowMs = this.#options.clock.nowMs()
    const { state } = limiter
    const pauseLeftMs = state.pauseUntilMs - state.clockMs
    limiter.pausedUntilMs = pauseLeftMs > 0 ? nowMs + pauseLeftMs : -Infinity
    log.mostLeased = Math.max(log.mostLeased, leasedPart(state))
    if (before.breaker.state !== state.breaker.state) {
      log.breaker.push({ atMs: nowMs, state: state.breaker.state })
    }
  }

  #noteMessage(domain: string, worker: string): void {
    const key = `${domain} ${worker}`
    const sinceMs = this.#unansweredMs.get(key) ?? this.#options.clock.nowMs()
    this.#unansweredMs.set(key, sinceMs)
  }

  #noteLease(domain: string, worker: string): void {
    const limiter = this.#limiter(domain)
    const { workers, clockMs } = limiter.state
    const expiresMs = workers[worker]?.leases.at(-1)?.expiresMs ?? clockMs
    const untilMs = this.#options.clock.nowMs() + expiresMs - clockMs
    const beforeMs = limiter.leasedUntilMs.get(worker) ?? -Infinity
    limiter.leasedUntilMs.set(worker, Math.max(beforeMs, untilMs))
  }

  #weighted(want: ProjectWant): ProjectWant {
    const weight = this.#options.weightOf?.(want.project) ?? 1
    return weight === 1 ? want : { ...want, weight }
  }

  /** Running, or started anew from what the last one saved when nobody had asked for long. */
  #limiter(domain: string): Limiter {
    const { policyFor, clock } = this.#options
    const known = this.#limiters.get(domain)
    const policy = policyFor(domain)
    const idleMs = clock.nowMs() - (known?.lastMessageMs ?? clock.nowMs())
    if (known !== undefined && idleMs < policy.domainStateTtlMs) return known
    const saved = known && readSavedState(throughJson(known.state), domain)
    const started = initialState(domain, policy, this.#hostMs)
    const restored = { kind: 'restored', saved: saved ?? null } as const
    const limiter: Limiter = {
      state: step(started, restored, this.#hostMs, 0).state,
      lastMessageMs: clock.nowMs(),
      updates: 0,
      leasedUntilMs: new Map(),
      pausedUntilMs: -Infinity,
    }
    this.#limiters.set(domain, limiter)
    return limiter
  }

  get #hostMs(): number {
    return HOST_EPOCH_MS + this.#hostShiftMs + Math.floor(this.#options.clock.nowMs())
  }
}

/** As a payload does it; what JSON cannot carry would be lost here as it would be there. */
function throughJson(state: LimiterState): LimiterState {
  const carried: LimiterState = JSON.parse(JSON.stringify(state))
  return carried
}

/** The most that leases allow at any one instant from now on, as a part of the highest rate any of them was cut from. */
function leasedPart(state: LimiterState): number {
  const leases = Object.values(state.workers)
    .flatMap((worker) => worker.leases)
    .filter(({ endMs }) => endMs > state.clockMs)
  let most = 0
  for (const { startMs } of leases) {
    const running = leases.filter((other) => other.startMs <= startMs && other.endMs > startMs)
    const sum = running.reduce((total, lease) => total + leaseRps(lease), 0)
    const rate = Math.max(currentRate(state), ...running.map(({ domainRps }) => domainRps))
    most = Math.max(most, sum / rate)
  }
  return most
}
