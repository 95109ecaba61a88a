/** Permit brokers and HTTP clients as worker processes have them, a limiter that can fall silent, and callers that never rest. */
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultPolicy } from '../../src/core/limiter/policy.ts'
import type { AcquireReply } from '../../src/core/limiter/protocol.ts'
import { OutsideCallError } from '../../src/errors.ts'
import { createHttpClient, type HttpClient } from '../../src/http/http-client.ts'
import { systemClock } from '../../src/limiter/broker-clock.ts'
import { createInProcessChannel } from '../../src/limiter/in-process-channel.ts'
import type { LimiterChannel } from '../../src/limiter/limiter-channel.ts'
import { brokerOver } from '../../src/limiter/permit-broker.ts'

export interface DrivenBrokers {
  /** From now on no message to the limiter finds an answer. */
  silence(): void
  /** Resolves when every process has had a lease: one that never had sends nothing by itself. */
  readonly granted: Promise<void>
  /** What the limiter last told each process to send without it, added up. */
  safeRps(): number
  stop(): Promise<void>
}

/** Callers at a time in each process, as activities are. */
const CALLERS = 4

export function driveBrokers(
  url: string,
  { processes, rps }: { readonly processes: number; readonly rps: number },
): DrivenBrokers {
  const policyFor = (domain: string) => ({
    ...defaultPolicy(domain),
    strategy: 'fixed' as const,
    maxRps: rps,
  })
  const told = new Map<string, number>()
  const holders = new Set<string>()
  let allGranted = (): void => undefined
  const granted = new Promise<void>((resolve) => (allGranted = resolve))
  const silence = new AbortController()
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  const limiter = createInProcessChannel({ policyFor, clock: systemClock, random: Math.random })
  const channel = orSilent(limiter, silence.signal, (worker, reply) => {
    if (reply.safeRate > 0) told.set(worker, reply.safeRate)
    if (reply.granted && holders.add(worker).size === processes) allGranted()
  })
  const log = { info: () => undefined, warn: () => undefined }
  const all = Array.from({ length: processes }, (_, index) => {
    const worker = `worker-${index + 1}`
    const permits = brokerOver(channel, { worker, policyFor, log })
    const contact = `${worker}@bench.example`
    const http = createHttpClient({ permits, contact, version: '0.0.0-bench' })
    return { permits, http }
  })
  const driving = all.flatMap(({ http }) =>
    Array.from({ length: CALLERS }, () => drive(http, url, stopping.signal)),
  )
  return {
    granted,
    silence: () => silence.abort(new Error('the limiter is silent')),
    safeRps: () => [...told.values()].reduce((sum, rate) => sum + rate, 0),
    async stop() {
      stopping.abort()
      await Promise.all(driving)
      await Promise.all(all.map(({ permits }) => permits.close()))
      await Promise.all(all.map(({ http }) => http.close()))
    },
  }
}

/** Silent as a server that is gone: nothing connects. */
function orSilent(
  limiter: LimiterChannel,
  silence: AbortSignal,
  onReply: (worker: string, reply: AcquireReply) => void,
): LimiterChannel {
  const unlessSilent = async <T>(call: () => Promise<T>): Promise<T> => {
    silence.throwIfAborted()
    return call()
  }
  return {
    acquire: (domain, request) =>
      unlessSilent(async () => {
        const reply = await limiter.acquire(domain, request)
        onReply(request.worker, reply)
        return reply
      }),
    release: (domain, request) => unlessSilent(() => limiter.release(domain, request)),
    refused: (domain, notice) => unlessSilent(() => limiter.refused(domain, notice)),
  }
}

/** Asks, and asks again as soon as it may. */
async function drive(http: HttpClient, url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await http.request({ method: 'GET', url, signal, project: 'bench' })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof OutsideCallError)) throw error
      await sleep(error.retryAfterMs ?? 100, undefined, { signal }).catch(() => undefined)
    }
  }
}
