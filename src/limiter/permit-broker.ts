/**
 * Where a worker process gets its permits: one broker per process, for any number of domains. It holds
 * the leases the limiters granted to this process and hands their permits to callers.
 */
import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import type { Permit, PermitRequest, Permits, RequestBooks } from '../core/limiter/permit.ts'
import type { DomainPolicy } from '../core/limiter/policy.ts'
import type { DomainSnapshot } from '../core/limiter/protocol.ts'
import { LIMITER_TASK_QUEUE } from '../core/workflow-ids.ts'
import type { DomainLimiterInput } from '../workflows/domain-limiter.ts'
import { systemClock, type BrokerClock } from './broker-clock.ts'
import type { BrokerLog } from './broker-log.ts'
import { DomainBroker } from './domain-broker.ts'
import type { DomainStatus } from './domain-status.ts'
import type { LimiterChannel } from './limiter-channel.ts'
import { createTemporalChannel } from './temporal-channel.ts'

export interface PermitBrokerOptions {
  readonly client: Client
  /** Identity of this process, 1 to 60 characters; no two that run at once share it. */
  readonly worker: string
  /** How a limiter that is not running yet starts: the operator's settings, else `defaultPolicy`. */
  readonly policyFor: (domain: string) => DomainPolicy
  readonly log: BrokerLog
  /** Where the limiters' Worker listens. Default `limiter`. */
  readonly taskQueue?: string
  /** Default `systemClock`. On a server that skips time, its clock. */
  readonly clock?: BrokerClock
  /** Uniform in [0, 1). Default `Math.random`. */
  readonly random?: () => number
  /** Stores a domain's snapshot for `limits`: every 5 s while it is busy, and when something has come to an end. */
  readonly onSnapshot?: (snapshot: DomainSnapshot) => Promise<void>
  /** Thresholds of limiters that are not running yet, for tests. */
  readonly startWith?: Partial<DomainLimiterInput>
}

export interface PermitBroker extends Permits, RequestBooks {
  /** What each domain this process has to do with waits for. */
  snapshot(): readonly DomainStatus[]
  /** Turns waiting callers away and gives back all permits; ends within about 10 s whatever happens. */
  close(): Promise<void>
}

export function createPermitBroker(options: PermitBrokerOptions): PermitBroker {
  const { client, policyFor, startWith = {} } = options
  const taskQueue = options.taskQueue ?? LIMITER_TASK_QUEUE
  const channel = createTemporalChannel({ client, taskQueue, policyFor, startWith })
  return brokerOver(channel, options)
}

const SETTLE_MS = 1_000
/** Domains kept before those with nothing going on are forgotten. */
const DOMAINS_KEPT = 64

/** The same over any channel. */
export function brokerOver(
  channel: LimiterChannel,
  options: Omit<PermitBrokerOptions, 'client' | 'taskQueue' | 'startWith'>,
): PermitBroker {
  const { worker, policyFor, log, onSnapshot } = options
  const nonce = randomUUID().slice(0, 8)
  const clock = options.clock ?? systemClock
  const random = options.random ?? Math.random
  const domains = new Map<string, DomainBroker>()
  const keepSnapshot =
    onSnapshot &&
    (async (snapshot: DomainSnapshot): Promise<void> => {
      try {
        await onSnapshot(snapshot)
      } catch (err) {
        log.warn({ domain: snapshot.domain, err }, 'snapshot of limiter not kept')
      }
    })

  const brokerOf = (domain: string): DomainBroker => {
    const known = domains.get(domain)
    if (known !== undefined) return known
    if (domains.size >= DOMAINS_KEPT) forgetQuiet(domains)
    const firstRate = firstRateOf(policyFor(domain))
    const shared = { worker, nonce, channel, clock, random, log, keepSnapshot }
    const broker = new DomainBroker({ ...shared, domain, firstRate })
    domains.set(domain, broker)
    return broker
  }
  return {
    acquire: (request: PermitRequest): Promise<Permit> => brokerOf(request.domain).acquire(request),
    takeRetry: (domain) => brokerOf(domain).takeRetry(),
    async settle() {
      const settled = [...domains.values()].map((broker) => broker.settle())
      const late = new Promise<void>((resolve) => void clock.after(SETTLE_MS, resolve))
      await Promise.race([Promise.all(settled), late])
    },
    snapshot: () => [...domains.values()].map((broker) => broker.status),
    async close() {
      await Promise.all([...domains.values()].map((broker) => broker.close()))
    },
  }
}

function forgetQuiet(domains: Map<string, DomainBroker>): void {
  for (const [domain, broker] of domains) {
    if (broker.isQuiet) domains.delete(domain)
  }
}

function firstRateOf({ strategy, initialRps, maxRps }: DomainPolicy): number {
  return strategy === 'fixed' ? maxRps : initialRps
}
