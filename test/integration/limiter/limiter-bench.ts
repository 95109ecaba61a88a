/** Limiter workflows on the dev server of the integration tests, on a task queue of their own. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection, type WorkflowHandle } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import { inject, onTestFinished } from 'vitest'
import { defaultPolicy, type DomainPolicy } from '../../../src/core/limiter/policy.ts'
import type {
  AcquireReply,
  AcquireRequest,
  LeaseGrant,
} from '../../../src/core/limiter/protocol.ts'
import type { LimiterStateActivities, SavedLimiter } from '../../../src/core/limiter/saved-state.ts'
import { limiterId } from '../../../src/core/workflow-ids.ts'
import { createPermitBroker, type PermitBroker } from '../../../src/limiter/permit-broker.ts'
import { createTemporalChannel } from '../../../src/limiter/temporal-channel.ts'
import type { DomainLimiterInput } from '../../../src/workflows/domain-limiter.ts'

export interface LimiterBench {
  readonly client: Client
  readonly domain: string
  /** The limiter itself, whichever of its runs is the latest. */
  readonly handle: WorkflowHandle
  /** What limiters have saved, by domain. */
  readonly saved: Map<string, SavedLimiter>
  broker(worker: string): PermitBroker
  /** One `acquire` as a broker sends it, repeated until it is answered. */
  acquire(changes: Partial<AcquireRequest>): Promise<AcquireReply>
  startWorker(): Promise<void>
  stopWorker(): Promise<void>
  /** Event type names of the limiter's runs, the latest run last. */
  eventsOfRuns(): Promise<string[][]>
}

export interface LimiterBenchOptions {
  /** On top of 20 requests a second, which is fixed unless a strategy is named. */
  readonly policy?: Partial<DomainPolicy>
  readonly startWith?: Partial<DomainLimiterInput>
  /** The same where it depends on the domain. */
  readonly startWithFor?: (domain: string) => Partial<DomainLimiterInput>
  readonly activities?: LimiterStateActivities
}

/** A broker repeats what is not answered for as long as it takes; a test at most so long. */
const PATIENCE_MS = 240_000

/** To be called in a test: all of it ends with that test. */
export async function startLimiterBench(options: LimiterBenchOptions = {}): Promise<LimiterBench> {
  const address = inject('temporalAddress')
  const connection = await NativeConnection.connect({ address })
  const clientConnection = await Connection.connect({ address })
  const client = new Client({ connection: clientConnection })
  const id = randomUUID().slice(0, 8)
  const domain = `${id}.example.org`
  const taskQueue = `limiter-${id}`
  const policy: DomainPolicy = {
    ...defaultPolicy(domain),
    strategy: 'fixed',
    initialRps: options.policy?.maxRps ?? 20,
    maxRps: 20,
    maxInFlight: 8,
    ...options.policy,
  }
  const saved = new Map<string, SavedLimiter>()
  const store: LimiterStateActivities = options.activities ?? {
    async saveLimiterState(limiter) {
      saved.set(limiter.domain, limiter)
    },
    async loadLimiterState(name, starter) {
      return { state: saved.get(name)?.state ?? null, policy: starter, pausedBecause: null }
    },
  }
  const handle = client.workflow.getHandle(limiterId(domain))
  const startWith = options.startWithFor?.(domain) ?? options.startWith ?? {}
  const channel = createTemporalChannel({ client, taskQueue, policyFor: () => policy, startWith })
  const brokers: PermitBroker[] = []
  let worker: Worker | undefined
  let running: Promise<void> | undefined
  let requests = 0

  const bench: LimiterBench = {
    client,
    domain,
    handle,
    saved,
    broker(name) {
      const broker = createPermitBroker({
        client,
        worker: name,
        policyFor: () => policy,
        log: { info: () => undefined, warn: () => undefined },
        taskQueue,
        startWith,
      })
      brokers.push(broker)
      return broker
    },
    async acquire(changes) {
      requests += 1
      const name = changes.worker ?? 'by-hand'
      const request: AcquireRequest = {
        worker: name,
        requestId: `${name}-${requests}`,
        wants: [{ project: '1', permits: 5 }],
        inFlight: 0,
        reports: [],
        ...changes,
      }
      const untilMs = performance.now() + PATIENCE_MS
      for (let tries = 1; ; tries += 1) {
        try {
          return await channel.acquire(domain, request)
        } catch (error) {
          // A busy machine lets a workflow task time out; meanwhile the server turns updates away.
          if (performance.now() > untilMs) throw error
          await sleep(Math.min(20 * tries, 500))
        }
      }
    },
    async startWorker() {
      worker = await Worker.create({
        connection,
        taskQueue,
        workflowBundle: { codePath: inject('workflowBundlePath') },
        activities: store,
        stickyQueueScheduleToStartTimeout: '1s',
        maxCachedWorkflows: 50,
      })
      running = worker.run()
    },
    async stopWorker() {
      if (worker?.getState() === 'RUNNING') worker.shutdown()
      await running
    },
    async eventsOfRuns() {
      const { raw, runId } = await handle.describe()
      return eventsFrom(client, limiterId(domain), raw.workflowExecutionInfo?.firstRunId ?? runId)
    },
  }
  onTestFinished(async () => {
    await Promise.all(brokers.map((broker) => broker.close()))
    await handle.terminate().catch(ignoreAlreadyGone)
    await bench.stopWorker()
    await clientConnection.close()
    await connection.close()
  })
  await bench.startWorker()
  return bench
}

async function eventsFrom(client: Client, workflowId: string, runId: string): Promise<string[][]> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory()
  const next = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId
  const kinds = (events ?? []).map((event) => eventKind(event))
  return next ? [kinds, ...(await eventsFrom(client, workflowId, next))] : [kinds]
}

/** `workflowTaskCompleted` and so on: the one attribute an event has. */
function eventKind(event: object): string {
  const key = Object.entries(event).find(
    ([name, value]) => name.endsWith('EventAttributes') && value,
  )
  return key?.[0].replace('EventAttributes', '') ?? 'unknown'
}

/** A limiter may have completed by itself before its test ends. */
function ignoreAlreadyGone(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'WorkflowNotFoundError') throw error
}

/** Asks again while the answer is no, as a broker does. */
export async function granted(limiter: LimiterBench, worker: string): Promise<LeaseGrant> {
  for (let request = 1; ; request += 1) {
    const reply = await limiter.acquire({ worker, requestId: `${worker}-first-${request}` })
    if (reply.granted) return reply
    await sleep(Math.min(reply.askAgainMs, 500))
  }
}
