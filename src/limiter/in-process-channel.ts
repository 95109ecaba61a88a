/** The limiters inside this process: the same `step`, nothing saved, nothing shared. */
import { initialState, type LimiterState } from '../core/limiter/limiter-state.ts'
import type { DomainPolicy } from '../core/limiter/policy.ts'
import { step, type LimiterEvent } from '../core/limiter/step.ts'
import type { BrokerClock } from './broker-clock.ts'
import type { LimiterChannel } from './limiter-channel.ts'

export interface InProcessChannelOptions {
  readonly policyFor: (domain: string) => DomainPolicy
  readonly clock: BrokerClock
  readonly random: () => number
}

export function createInProcessChannel(options: InProcessChannelOptions): LimiterChannel {
  const { policyFor, clock, random } = options
  const states = new Map<string, LimiterState>()
  const apply = (domain: string, event: LimiterEvent) => {
    const nowMs = clock.nowMs()
    const known = states.get(domain)
    const start = () => initialState(domain, policyFor(domain), nowMs)
    const state = known ?? step(start(), { kind: 'restored', saved: null }, nowMs, 0).state
    const result = step(state, event, nowMs, random())
    states.set(domain, result.state)
    return result.replies
  }
  return {
    async acquire(domain, request) {
      const [reply] = apply(domain, { kind: 'acquire', request })
      if (reply === undefined) throw new Error(`step did not answer an acquire of ${domain}`)
      return reply
    },
    async release(domain, request) {
      apply(domain, { kind: 'release', request })
    },
    async refused(domain, notice) {
      apply(domain, { kind: 'refused', notice })
    },
  }
}
