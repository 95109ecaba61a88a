import { type MetricMeter, noopMetricMeter } from '@temporalio/common'
import type { RequestBooks } from '../core/limiter/permit.ts'
import type { Db } from '../db/connect.ts'
import type { HttpClient } from '../http/http-client.ts'
import type { ServiceCredentials } from '../http/reconciliation/service-credentials.ts'
import type {
  DownloadActivities,
  EndActivities,
  ExtendActivities,
  ExtractRunActivities,
  ExtractTypeActivities,
  ImageActivities,
  RecheckActivities,
  RunActivities,
  ScheduleActivities,
  ServiceActivities,
  SuggestActivities,
  TaskActivities,
} from './activity-contracts.ts'
import type { TaskDecider } from './decide-task.ts'
import { createDownloadActivities } from './download-activities.ts'
import { createDownloadMetrics } from './download-metrics.ts'
import type { DownloadTools } from './download-tools.ts'
import { createEndActivities } from './end-activities.ts'
import { createExtendActivities } from './extend-activities.ts'
import { createExtractRunActivities } from './extract-run-activities.ts'
import { createExtractTypeActivities } from './extract-type-activities.ts'
import { createImageActivities } from './image-activities.ts'
import { createPictureActivities } from './picture-activities.ts'
import type { PictureActivities } from './picture-contract.ts'
import { createRecheckActivities } from './recheck-activities.ts'
import { createRunActivities } from './run-activities.ts'
import { createScheduleActivities, type MatchStarter } from './schedule-activities.ts'
import { createServiceActivities } from './service-activities.ts'
import { createServiceDirectory } from './service-directory.ts'
import { createServiceVersions } from './service-versions.ts'
import { createSourceDirectory } from './source-directory.ts'
import { createSuggestActivities } from './suggest-activities.ts'
import { createTaskActivities } from './task-activities.ts'
import { tracedHttp } from './traces/request-span.ts'
import { noTracer, type Tracer } from './traces/tracer.ts'
import { createWorkMetrics, type WorkMetrics } from './work-metrics.ts'

export interface ActivityDeps {
  readonly db: Db
  readonly http: Pick<HttpClient, 'request'>
  /** Default: nothing is measured. */
  readonly meter?: MetricMeter
  /** Of matches and extractions; default: those of the meter. */
  readonly metrics?: WorkMetrics
  /** Default: nobody wants traces. */
  readonly tracer?: Tracer
  /** What fetches files. */
  readonly downloads: DownloadTools
  /** Default: every repeat is paid for, and nobody has to be told of requests. */
  readonly books?: RequestBooks
  /** Service name → address. */
  readonly serviceAddresses: Readonly<Record<string, string>>
  /** Default: none. */
  readonly credentials?: ServiceCredentials
  /** Where files of images are; default: Wikimedia Commons. */
  readonly commons?: string
  /** OAuth 2 access token for Wikidata. */
  readonly wikidataToken?: string | undefined
  readonly nowMs?: () => number
  readonly random?: () => number
  readonly judgeChild?: URL
  /** Who decides the records of tasks; default: this thread. */
  readonly decider?: Pick<TaskDecider, 'decide'>
  /** Called when a run is planned, whose records are decided soon. Default: nobody needs to know. */
  readonly onPlan?: () => void
  /** Aborted once the worker begins no request any more. */
  readonly stopping?: AbortSignal
  /** Runs commands at the end of runs; default false. */
  readonly runsCommands?: boolean
  /** Starts matches for schedules; default: none can be started. */
  readonly starter?: MatchStarter
  readonly commandTimeoutMs?: number
}

/** Every activity of the `record-linker` task queue. */
export function createActivities(
  deps: ActivityDeps,
): RunActivities &
  ServiceActivities &
  TaskActivities &
  ExtendActivities &
  ExtractRunActivities &
  ExtractTypeActivities &
  DownloadActivities &
  ImageActivities &
  PictureActivities &
  RecheckActivities &
  SuggestActivities &
  EndActivities &
  ScheduleActivities {
  const { db, nowMs = Date.now, random = Math.random, meter = noopMetricMeter } = deps
  const { metrics = createWorkMetrics(meter), tracer = noTracer } = deps
  const measured = metrics.measured(deps.http)
  const http = tracer === noTracer ? measured : tracedHttp(measured)
  const books = deps.books ?? noBooks
  const versions = createServiceVersions(db)
  const credentials = deps.credentials ?? {}
  const directory = {
    http,
    addresses: deps.serviceAddresses,
    credentials,
    wikidataToken: deps.wikidataToken,
  }
  const services = createServiceDirectory(directory)
  const urgent = createServiceDirectory({ ...directory, http: atOnce(http) })
  const sources = createSourceDirectory({ http, credentials })
  return {
    ...createRunActivities({ db, books, metrics, tracer, onPlan: deps.onPlan }),
    ...createServiceActivities({ db, services, books, nowMs, random }),
    ...createTaskActivities({
      db,
      services,
      versions,
      tracer,
      books,
      nowMs,
      random,
      judgeChild: deps.judgeChild,
      decider: deps.decider,
      stopping: deps.stopping,
      onDecided: metrics.decided,
    }),
    ...createExtendActivities({ db, services, books, random }),
    ...createExtractRunActivities({ db, sources, random }),
    ...createExtractTypeActivities({ db, sources, books, metrics, tracer, nowMs, random }),
    ...createDownloadActivities({
      db,
      tools: deps.downloads,
      metrics: createDownloadMetrics(meter),
      tracer,
      nowMs,
      random,
    }),
    ...createImageActivities({
      db,
      http,
      books,
      random,
      ...(deps.commons === undefined ? {} : { commons: deps.commons }),
    }),
    ...createRecheckActivities({ db, services, books, random }),
    ...createSuggestActivities({ db, services: urgent }),
    ...createPictureActivities({
      db,
      services: urgent,
      tools: deps.downloads,
      nowMs,
      commons: deps.commons,
    }),
    ...createScheduleActivities({ db, starter: deps.starter ?? noStarter }),
    ...createEndActivities({
      db,
      http,
      runsCommands: deps.runsCommands ?? false,
      random,
      commandTimeoutMs: deps.commandTimeoutMs,
    }),
  }
}

/** For what a person waits for: the limiters keep a share for it, however much runs ask. */
function atOnce(http: ActivityDeps['http']): ActivityDeps['http'] {
  return { request: (request) => http.request({ ...request, priority: 'interactive' }) }
}

const noBooks: RequestBooks = { takeRetry: () => true, settle: () => Promise.resolve() }

const noStarter: MatchStarter = {
  start: () => Promise.reject(new Error('This worker starts no matches.')),
  removeSchedule: () => Promise.resolve(),
}
