import { hostname } from 'node:os'
import { Client, Connection } from '@temporalio/client'
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker'
import { createDownloadTools } from '../activities/download-tools.ts'
import { createActivities } from '../activities/index.ts'
import { createLimiterActivities } from '../activities/limiter-activities.ts'
import { assertRoom } from '../activities/once-stored.ts'
import { createWorkMetrics } from '../activities/work-metrics.ts'
import { applyPolicies } from '../client/limits/apply-policies.ts'
import { keepLimitsFile } from '../client/limits/kept-limits-file.ts'
import { fileLayers, type LimitsFile, type LimitsPlace } from '../client/limits/limits-file.ts'
import { createMatchStarter } from '../client/schedules/match-starter.ts'
import { LIMITER_TASK_QUEUE, WORK_TASK_QUEUE } from '../core/workflow-ids.ts'
import { connectDatabase } from '../db/connect.ts'
import { saveSnapshot } from '../db/domain-limits.repo.ts'
import { readPace } from '../db/pace.repo.ts'
import { tryRoom } from '../db/try-room.ts'
import { createHttpClient } from '../http/http-client.ts'
import type { ServiceCredentials } from '../http/reconciliation/service-credentials.ts'
import { pacedPermits } from '../limiter/paced-permits.ts'
import { createPermitBroker } from '../limiter/permit-broker.ts'
import { drainingPermits } from '../limiter/draining-permits.ts'
import { roomyPermits } from '../limiter/roomy-permits.ts'
import type { Logger } from '../log.ts'
import { productVersion } from '../product-version.ts'
import { temporalProfile } from '../temporal-profile.ts'
import { serveHealth } from './health/serve-health.ts'
import { createThreadDecider } from './decide-in-thread.ts'
import { installTemporalLog } from './worker-log.ts'
import { standingLooks } from './metrics/standing-looks.ts'
import { watchStanding } from './metrics/watch-standing.ts'
import { pollersOf } from './pollers.ts'
import { keepHeapSmall, lookThroughHeap } from './small-heap.ts'
import { openTraces } from './traces/open-traces.ts'
import { workflowBundlePath } from './workflow-bundle.ts'

export interface WorkerSettings {
  readonly temporalAddress: string
  readonly temporalNamespace: string
  readonly databaseUrl: string
  readonly contact: string | undefined
  /** Secrets for services, by host. */
  readonly credentials: ServiceCredentials
  /** Runs commands at the end of runs, which stand in the database. */
  readonly runsCommands: boolean
  /** Where the service called `sample` answers; undefined: it is not known here. */
  readonly sampleServiceUrl: string | undefined
  /** Action API that the service called `wikidata` is. */
  readonly wikidataUrl: string
  /** OAuth 2 access token for it. */
  readonly wikidataToken: string | undefined
  /** The operator's file of limits; read again when it changes. */
  readonly limits: LimitsPlace
  /** Keeps the bundled workflow code. */
  readonly cacheFolder: string
  /** Folder whose disk is told to a metrics server. */
  readonly home: string
  /** Where files of queues are kept that name no place: file:///… or s3://… */
  readonly storeUri: string
  /** Activities in flight in this process; most of them wait for permits or answers. */
  readonly activities: number
  /** Requests for work open at Temporal: `auto`, or a number. */
  readonly pollers: string
  /** Most connections to Postgres. */
  readonly dbConnections: number
  /** After `stopping` an answer on its way has so long to arrive, ms; then its call is aborted and made elsewhere. */
  readonly graceMs: number
  /** Where to answer `/healthz` and `/readyz`, 0 a free port; undefined: nowhere. */
  readonly healthPort: number | undefined
  readonly healthHost: string
  /** host:port where to answer `/metrics`; undefined: nowhere. */
  readonly metricsAddress: string | undefined
  /** Who takes traces, by OTLP over HTTP; undefined: nobody. */
  readonly tracesEndpoint: string | undefined
  readonly log: Logger
  /** Aborting drains the worker. */
  readonly stopping: AbortSignal
  readonly onReady: () => void
}

/** Each decides few records, which is work for the processor and the database; more would only queue there. */
const CONCURRENT_LOCAL_ACTIVITIES = 4
/** Of the worker's connections: two pages are decided at a time, and tasks are begun meanwhile. */
const DECIDE_CONNECTIONS = 3
/** What was aborted has so long to be handed back, ms; an activity that does not end then is given up. */
const HAND_BACK_MS = 15_000

/**
 * How soon a server that is back is found, ms: gRPC's own steps grow to minutes, and until then a process would go
 * on without its limiters.
 */
const reconnecting = {
  'grpc.initial_reconnect_backoff_ms': 500,
  'grpc.max_reconnect_backoff_ms': 2_000,
}

const shared = {
  // The SDK's default would deliver a cancellation only after 80 % of the heartbeat timeout.
  maxHeartbeatThrottleInterval: '1 second',
  defaultHeartbeatThrottleInterval: '1 second',
} satisfies Partial<WorkerOptions>

/**
 * Polls both task queues until `stopping`. Limiters have a Worker of their own, so that a busy match never delays a
 * permit (DESIGN §4).
 * @throws when Temporal cannot be reached at the start, or a worker breaks.
 */
export async function runWorker(settings: WorkerSettings): Promise<void> {
  const { log, stopping } = settings
  keepHeapSmall()
  installTemporalLog(log, settings.metricsAddress)
  const meter = Runtime.instance().metricMeter
  const metrics = createWorkMetrics(meter)
  const identity = `${process.pid}@${hostname()}`
  const traces = await openTraces({
    endpoint: settings.tracesEndpoint,
    worker: identity,
    version: productVersion,
    log,
  })
  const health = await serveHealth(settings)
  const decideConnections = Math.min(DECIDE_CONNECTIONS, Math.ceil(settings.dbConnections / 2))
  const db = connectDatabase(settings.databaseUrl, {
    maxConnections: Math.max(1, settings.dbConnections - decideConnections),
  })
  const decider = createThreadDecider({
    databaseUrl: settings.databaseUrl,
    maxConnections: decideConnections,
    log,
    onDecided: metrics.decided,
  })
  const address = settings.temporalAddress
  const security = temporalProfile().options
  const codePath = await workflowBundlePath(settings.cacheFolder)
  const connection = await NativeConnection.connect({ ...security, address })
  const clientConnection = await Connection.connect({
    ...security,
    address,
    channelArgs: reconnecting,
  })
  const namespace = settings.temporalNamespace
  const client = new Client({ connection: clientConnection, namespace, identity })
  const apply = (file: LimitsFile) => {
    for (const problem of file.problems) log.warn(`A limit is left out. ${problem}`)
    applyPolicies(client, db, file).catch((error: unknown) => {
      log.warn({ err: error }, 'Running limiters were not told the policies of now.')
    })
  }
  const limitsFile = keepLimitsFile(settings.limits, { onChange: apply })
  const permits = createPermitBroker({
    client,
    worker: identity,
    policyFor: (domain) => limitsFile.policyFor(domain),
    log,
    onSnapshot: (snapshot) => saveSnapshot(db, snapshot),
  })
  const outside = {
    permits: roomyPermits(
      drainingPermits(
        pacedPermits({ permits, paceOf: (projectId) => readPace(db, projectId), log }),
        stopping,
      ),
      () => assertRoom(() => tryRoom(db), log),
    ),
    contact: settings.contact,
    version: productVersion,
  }
  const http = createHttpClient(outside)
  const { databaseUrl, storeUri, credentials } = settings
  const downloads = createDownloadTools({ ...outside, databaseUrl, storeUri, credentials })
  const serviceAddresses = {
    wikidata: settings.wikidataUrl,
    ...(settings.sampleServiceUrl === undefined ? {} : { sample: settings.sampleServiceUrl }),
  }
  let endWatch = (): void => undefined
  try {
    const common: Omit<WorkerOptions, 'taskQueue'> = {
      ...shared,
      connection,
      namespace,
      identity,
      workflowBundle: { codePath },
      shutdownGraceTime: settings.graceMs,
      shutdownForceTime: settings.graceMs + HAND_BACK_MS,
    }
    const [work, limiters] = await Promise.all([
      Worker.create({
        ...common,
        taskQueue: WORK_TASK_QUEUE,
        activities: createActivities({
          db,
          http,
          meter,
          metrics,
          tracer: traces.tracer,
          downloads,
          books: permits,
          decider,
          onPlan: () => decider.wake(),
          stopping,
          credentials: settings.credentials,
          runsCommands: settings.runsCommands,
          starter: createMatchStarter(client),
          serviceAddresses,
          wikidataToken: settings.wikidataToken,
        }),
        maxConcurrentActivityTaskExecutions: settings.activities,
        ...pollersOf(settings.pollers, settings.activities),
        maxConcurrentLocalActivityExecutions: CONCURRENT_LOCAL_ACTIVITIES,
      }),
      Worker.create({
        ...common,
        taskQueue: LIMITER_TASK_QUEUE,
        activities: createLimiterActivities({ db, log }),
        // So long the permits wait for a process that died with the limiter in it.
        stickyQueueScheduleToStartTimeout: '500 milliseconds',
      }),
    ])
    const running = [work, limiters].map((worker) => worker.run())
    health.watch({
      work,
      limiters,
      connection: clientConnection,
      databaseUrl: settings.databaseUrl,
    })
    apply(limitsFile.current())
    if (settings.metricsAddress !== undefined) {
      const isInLimitsFile = (domain: string) => fileLayers(limitsFile.current(), domain).length > 0
      const from = { db, home: settings.home, storeUri, serviceAddresses, isInLimitsFile }
      endWatch = watchStanding(meter, standingLooks(from), log)
    }
    lookThroughHeap()
    settings.onReady()
    try {
      await Promise.race([untilAborted(stopping), ...running])
    } finally {
      // Limiters go last: permits are still reported and returned while the work drains.
      await drained(work, running[0])
      await permits.close()
      await drained(limiters, running[1])
    }
    await Promise.all(running)
    log.info('Drained.')
  } finally {
    endWatch()
    limitsFile.close()
    await health.close()
    await http.close()
    await downloads.close()
    await decider.close()
    await traces.close()
    await db.destroy()
    await clientConnection.close()
    // A worker that never ran holds it, and must not hide why the other one could not be made.
    await connection.close().catch((error: unknown) => {
      log.warn({ err: error }, 'The connection to Temporal was not closed.')
    })
  }
}

/** Waits for a worker's end, good or bad: connections can be closed only after all have ended. */
async function drained(worker: Worker, running: Promise<void> | undefined): Promise<void> {
  if (worker.getState() === 'RUNNING') worker.shutdown()
  await Promise.allSettled([running])
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
