/** A worker process: the real permit broker, slots for activities, and the possibility to die. */
import type { BrokerClock } from '../../src/limiter/broker-clock.ts'
import type { LimiterChannel } from '../../src/limiter/limiter-channel.ts'
import { brokerOver, type PermitBroker } from '../../src/limiter/permit-broker.ts'
import type { DomainPolicy } from '../../src/core/limiter/policy.ts'
import type { Random } from './seeded-random.ts'

export interface WorkerProcessOptions {
  readonly name: string
  readonly slots: number
  readonly clock: BrokerClock
  readonly random: Random
  readonly channel: LimiterChannel
  readonly policyFor: (domain: string) => DomainPolicy
}

const silent = { info: () => undefined, warn: () => undefined }

export class WorkerProcess {
  readonly name: string
  readonly permits: PermitBroker
  freeSlots: number
  isDead = false

  constructor({ name, slots, clock, random, channel, policyFor }: WorkerProcessOptions) {
    this.name = name
    this.freeSlots = slots
    const mortal: BrokerClock = {
      nowMs: () => clock.nowMs(),
      after: (delayMs, callback) => clock.after(delayMs, () => void (this.isDead || callback())),
    }
    this.permits = brokerOver(this.#mortalChannel(channel), {
      worker: name,
      policyFor,
      clock: mortal,
      random,
      log: silent,
    })
  }

  /** What a dead process sent is still delivered; no answer reaches it. */
  #mortalChannel(channel: LimiterChannel): LimiterChannel {
    const whileAlive = async <T>(answer: Promise<T>): Promise<T> => {
      try {
        return await answer
      } finally {
        if (this.isDead) await new Promise(() => undefined)
      }
    }
    return {
      acquire: (domain, request) => whileAlive(channel.acquire(domain, request)),
      release: (domain, request) => whileAlive(channel.release(domain, request)),
      refused: (domain, notice) => whileAlive(channel.refused(domain, notice)),
    }
  }
}
