/** The limiters inside this process: the same `step`, nothing saved, nothing shared; idle ones are forgotten. */
import { initialState, type LimiterState } from '../core/limiter/limiter-state.ts'
import { advance } from '../core/limiter/advance.ts'
import { holdOf } from '../core/limiter/hold.ts'
import type { DomainPolicy } from '../core/limiter/policy.ts'
import { snapshotOf } from '../core/limiter/snapshot.ts'
import { step, type LimiterEvent } from '../core/limiter/step.ts'
import type { BrokerClock } from './broker-clock.ts'
import type { LimiterChannel } from './limiter-channel.ts'

export interface InProcessChannelOptions {
  readonly policyFor: (domain: string) => DomainPolicy
  readonly clock: BrokerClock
  readonly random: () => number
}

/** Before those that would have ended by now as workflows are looked for. */
const LIMITERS_KEPT = 64

/** A channel whose limiters can be told what an operator says. */
export interface InProcessChannel extends LimiterChannel {
  tell(domain: string, event: LimiterEvent): void
}

export function createInProcessChannel(options: InProcessChannelOptions): InProcessChannel {
  const { policyFor, clock, random } = options
  const states = new Map<string, LimiterState>()
  const apply = (domain: string, event: LimiterEvent) => {
    const nowMs = clock.nowMs()
    const known = states.get(domain)
    if (known === undefined && states.size >= LIMITERS_KEPT) forgetIdle(states, nowMs)
    const start = () => initialState(domain, policyFor(domain), nowMs)
    const state = known ?? step(start(), { kind: 'restored', saved: null }, nowMs, 0).state
    const result = step(state, event, nowMs, random())
    states.set(domain, result.state)
    return result
  }
  return {
    async acquire(domain, request) {
      const [reply] = apply(domain, { kind: 'acquire', request }).replies
      if (reply === undefined) throw new Error(`step did not answer an acquire of ${domain}`)
      return reply
    },
    async release(domain, request) {
      const { state } = apply(domain, { kind: 'release', request })
      return request.snapshot === true ? { snapshot: snapshotOf(state) } : undefined
    },
    tell: (domain, event) => void apply(domain, event),
    async refused(domain, notice) {
      apply(domain, { kind: 'refused', notice })
    },
  }
}

/** What a server or an operator asked for is kept for as long as it holds: there is no database to keep it. */
function forgetIdle(states: Map<string, LimiterState>, nowMs: number): void {
  for (const [domain, state] of states) {
    const isIdle = nowMs - state.wallMs >= state.policy.domainStateTtlMs
    if (isIdle && holdOf(advance(state, nowMs)) === null) states.delete(domain)
  }
}
