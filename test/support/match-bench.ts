/**
 * A worker with the real activities, HTTP client, permit broker and limiter around a temporary database, on whatever
 * Temporal server a test has.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { type NativeConnection, Worker } from '@temporalio/worker'
import { createMatchStarter } from '../../src/client/schedules/match-starter.ts'
import { createDownloadTools } from '../../src/activities/download-tools.ts'
import { createActivities } from '../../src/activities/index.ts'
import { createLimiterActivities } from '../../src/activities/limiter-activities.ts'
import { type MatchSizes } from '../../src/core/match-run.ts'
import { defaultRunOptions, type RunOptions } from '../../src/core/run.ts'
import { limiterId, matchProjectId } from '../../src/core/workflow-ids.ts'
import type { RequestBooks } from '../../src/core/limiter/permit.ts'
import type { DomainPolicy } from '../../src/core/limiter/policy.ts'
import { defaultPolicy } from '../../src/core/limiter/policy.ts'
import { connectDatabase, type Db } from '../../src/db/connect.ts'
import { readPace } from '../../src/db/pace.repo.ts'
import { createHttpClient } from '../../src/http/http-client.ts'
import type { ServiceCredentials } from '../../src/http/reconciliation/service-credentials.ts'
import { type BrokerClock, systemClock } from '../../src/limiter/broker-clock.ts'
import { pacedPermits } from '../../src/limiter/paced-permits.ts'
import { createPermitBroker } from '../../src/limiter/permit-broker.ts'
import type { matchProject } from '../../src/workflows/match-project.ts'

export interface MatchBenchOptions {
  readonly connection: NativeConnection
  readonly client: Client
  readonly databaseUrl: string
  /** Of the worker and the test together; default 10. */
  readonly dbConnections?: number
  readonly workflowBundlePath: string
  readonly clock?: BrokerClock
  readonly nowMs?: () => number
  /** Uniform in [0, 1), for delays of activities. */
  readonly random?: () => number
  /** Default: those of the permit broker. */
  readonly books?: RequestBooks
  readonly judgeChild?: URL
  /** Secrets for services, by host. */
  readonly credentials?: ServiceCredentials
  /** Where files of images are. */
  readonly commons?: string
  /** Where the service `wikidata` is; default: it is not known. */
  readonly wikidataUrl?: string
  readonly wikidataToken?: string
  /** Runs commands at the end of runs. */
  readonly runsCommands?: boolean
  readonly commandTimeoutMs?: number
  readonly policyFor?: (domain: string) => DomainPolicy
  /** Timeouts of the HTTP client, small in tests that hang. */
  readonly timeouts?: { headersMs?: number; bodyMs?: number; totalMs?: number }
}

export interface MatchBench {
  readonly db: Db
  readonly client: Client
  readonly taskQueue: string
  /** Folder of the store of queues that name none. */
  readonly artifacts: string
  /** Starts a run of a project; settings revision 1 unless said otherwise. */
  start(projectId: number, start?: BenchStart): Promise<MatchBenchHandle>
  /** Stops the worker as a shutdown does. */
  stop(): Promise<void>
}

export interface BenchStart {
  readonly options?: Partial<RunOptions>
  readonly settingsRevision?: number
  readonly sizes?: Partial<MatchSizes>
}

export type MatchBenchHandle = Awaited<
  ReturnType<typeof Client.prototype.workflow.start<typeof matchProject>>
>

const silentLog = { info: () => undefined, warn: () => undefined }

export async function startMatchBench(options: MatchBenchOptions): Promise<MatchBench> {
  const { client, connection } = options
  const { databaseUrl, dbConnections: maxConnections = 10 } = options
  const db = connectDatabase(databaseUrl, { maxConnections })
  const taskQueue = `match-${randomUUID()}`
  const limiterQueue = `limiter-${randomUUID()}`
  const clock = options.clock ?? systemClock
  const permits = createPermitBroker({
    client,
    worker: `bench-${randomUUID().slice(0, 8)}`,
    policyFor: options.policyFor ?? defaultPolicy,
    log: silentLog,
    taskQueue: limiterQueue,
    clock,
  })
  const outside = {
    permits: pacedPermits({ permits, paceOf: (id) => readPace(db, id), log: silentLog }),
    contact: undefined,
    version: '0.0.0-test',
  }
  const artifacts = mkdtempSync(join(tmpdir(), 'record-linker-artifacts-'))
  const downloads = createDownloadTools({
    ...outside,
    databaseUrl: options.databaseUrl,
    storeUri: pathToFileURL(artifacts).href,
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
  })
  const http = createHttpClient({
    ...outside,
    ...(options.timeouts === undefined ? {} : { timeouts: options.timeouts }),
  })
  const common = {
    connection,
    workflowBundle: { codePath: options.workflowBundlePath },
    maxHeartbeatThrottleInterval: '1 second',
    defaultHeartbeatThrottleInterval: '1 second',
    shutdownForceTime: '10 seconds',
  } as const
  const workers = [
    await Worker.create({
      ...common,
      taskQueue,
      activities: createActivities({
        db,
        http,
        downloads,
        serviceAddresses:
          options.wikidataUrl === undefined ? {} : { wikidata: options.wikidataUrl },
        wikidataToken: options.wikidataToken,
        books: options.books ?? permits,
        ...(options.random === undefined ? {} : { random: options.random }),
        ...(options.nowMs === undefined ? {} : { nowMs: options.nowMs }),
        ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
        ...(options.commons === undefined ? {} : { commons: options.commons }),
        starter: createMatchStarter(client, taskQueue),
        runsCommands: options.runsCommands ?? false,
        ...(options.commandTimeoutMs === undefined
          ? {}
          : { commandTimeoutMs: options.commandTimeoutMs }),
        ...(options.judgeChild === undefined ? {} : { judgeChild: options.judgeChild }),
      }),
    }),
    await Worker.create({
      ...common,
      taskQueue: limiterQueue,
      activities: createLimiterActivities({ db }),
    }),
  ]
  const running = workers.map((worker) => worker.run())
  return {
    db,
    client,
    taskQueue,
    artifacts,
    start: (projectId, { options: runOptions = {}, settingsRevision = 1, sizes } = {}) =>
      client.workflow.start<typeof matchProject>('matchProject', {
        workflowId: matchProjectId(projectId),
        taskQueue,
        workflowExecutionTimeout: '30 days',
        args: [
          {
            projectId,
            settingsRevision,
            options: { ...defaultRunOptions, ...runOptions },
            searchAttributes: false,
            ...(sizes === undefined ? {} : { sizes }),
          },
        ],
      }),
    async stop() {
      const [work, limiters] = workers
      if (work?.getState() === 'RUNNING') work.shutdown()
      await running[0]
      const domains = permits.snapshot().map(({ domain }) => domain)
      await permits.close()
      if (limiters?.getState() === 'RUNNING') limiters.shutdown()
      await running[1]
      await endLimiters(client, domains, limiterQueue)
      await http.close()
      await downloads.close()
      rmSync(artifacts, { recursive: true, force: true })
      await db.destroy()
    },
  }
}

/**
 * A limiter that stays has no worker any more; a later test whose server gets the same port, one in some thousand,
 * would wait for it until its time is up. One of another queue belongs to a bench that goes on.
 */
async function endLimiters(
  client: Client,
  domains: readonly string[],
  limiterQueue: string,
): Promise<void> {
  for (const domain of domains) {
    const limiter = client.workflow.getHandle(limiterId(domain))
    try {
      if ((await limiter.describe()).taskQueue === limiterQueue) await limiter.terminate()
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    }
  }
}
