/** Permits for a program that has no Temporal: the same limiter and broker, inside this process. */
import { defaultPolicy, type DomainPolicy } from '../core/limiter/policy.ts'
import { systemClock, type BrokerClock } from './broker-clock.ts'
import type { BrokerLog } from './broker-log.ts'
import { createInProcessChannel } from './in-process-channel.ts'
import { brokerOver, type PermitBroker } from './permit-broker.ts'

export interface InProcessPermitsOptions {
  /** Default `defaultPolicy`. */
  readonly policyFor?: (domain: string) => DomainPolicy
  readonly clock?: BrokerClock
  readonly random?: () => number
}

export function createInProcessPermits(options: InProcessPermitsOptions = {}): PermitBroker {
  const policyFor = options.policyFor ?? defaultPolicy
  const clock = options.clock ?? systemClock
  const random = options.random ?? Math.random
  const channel = createInProcessChannel({ policyFor, clock, random })
  return brokerOver(channel, { worker: 'this-process', policyFor, clock, random, log: silent })
}

const silent: BrokerLog = { info: () => undefined, warn: () => undefined }
