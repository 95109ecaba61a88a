/** The parts of one home's stack together: in which order they start, and stop. */
import { configEnv, type Config } from '../../config.ts'
import { migrateToLatest } from '../../db/migrate.ts'
import { homePaths, type Home } from './home.ts'
import { keepRunning, type Part } from './keep-running.ts'
import { keptPorts } from './kept-ports.ts'
import { pagesPart } from './pages-part.ts'
import { postgresPart } from './postgres-part.ts'
import type { PostgresPlace } from './postgres-place.ts'
import { processRecord } from './process-record.ts'
import { programCache } from './program-cache.ts'
import { programPart, type ProgramPart } from './program-part.ts'
import { startOnKeptPorts } from './server-part.ts'
import type { StackAddresses } from './stack.ts'
import { temporalPart } from './temporal-part.ts'

/** After its grace time a worker hands back what is left and gives its permits back. */
const WORKER_HAND_BACK_MS = 35_000
const SAMPLE_SERVICE_DRAIN_MS = 3000

/** Entry files of our own programs. */
export interface StackPrograms {
  readonly worker: URL
  readonly sampleService: URL
  /** Absent: none are served. */
  readonly pages?: URL
}

export interface StackPartsOptions {
  readonly config: Config
  readonly home: Home
  /** undefined: PostgreSQL is external. */
  readonly place: PostgresPlace | undefined
  readonly temporalCli: string
  readonly programs: StackPrograms
  /** People look at this stack: pages are served too. */
  readonly foreground: boolean
  readonly report: (line: string) => void
  readonly stopping: AbortSignal
}

export interface StackParts {
  /** Resolves when all parts answer. */
  readonly start: () => Promise<StackAddresses>
  /** After the stopping signal: stops all parts, also half-started ones; without waiting from the moment that it becomes urgent. */
  readonly stop: (urgent: AbortSignal) => Promise<void>
}

export function stackParts(options: StackPartsOptions): StackParts {
  const { config, home, report, stopping } = options
  const paths = homePaths(home.path)
  const ports = keptPorts(paths.ports, report)
  const processes = processRecord(paths.processes, home.path)
  const postgres = options.place && postgresPart(home, options.place, ports, processes)
  const temporal = config.temporalAddress
    ? undefined
    : temporalPart(home, options.temporalCli, config.temporalNamespace, ports, processes)
  const databaseUrl = () => postgres?.address() ?? config.databaseUrl ?? ''
  const temporalAddress = () => temporal?.address() ?? config.temporalAddress ?? ''
  const samplePort = () => ports.last('sampleService') ?? 0
  const webUiUrl = () => {
    const port = temporal && ports.last('temporalUi')
    return port ? `http://127.0.0.1:${port}` : undefined
  }
  const sampleServiceUrl = () => `http://127.0.0.1:${samplePort()}`

  const sampleProgram = programPart('sampleService', SAMPLE_SERVICE_DRAIN_MS, processes, () => ({
    entry: options.programs.sampleService,
    args: [String(samplePort()), programCache(paths.cache)],
    env: {},
    logFile: paths.logs.sampleService,
  }))
  const sampleService: ProgramPart = {
    ...sampleProgram,
    start: (signal) =>
      startOnKeptPorts(ports, ['sampleService'], () => sampleProgram.start(signal)),
  }
  /** Where the servers are, for the programs that use them; known once they have started. */
  const programEnv = () => ({
    ...configEnv({
      ...config,
      temporalAddress: temporalAddress(),
      databaseUrl: databaseUrl(),
      home: home.path,
    }),
    RECORD_LINKER_SAMPLE_URL: sampleServiceUrl(),
  })
  const worker = programPart('worker', config.graceMs + WORKER_HAND_BACK_MS, processes, () => ({
    entry: options.programs.worker,
    env: programEnv(),
    logFile: paths.logs.worker,
  }))

  const pages = pagesPart({
    program: options.foreground ? options.programs.pages : undefined,
    ports,
    processes,
    logFile: paths.logs.pages,
    env: () => ({
      ...programEnv(),
      RECORD_LINKER_TEMPORAL_UI: webUiUrl() ?? '',
    }),
  })

  const inStopOrder: readonly Part[] = [pages, worker, sampleService, temporal, postgres].flatMap(
    (part) => part ?? [],
  )
  const started: Part[] = []
  const activities: Promise<unknown>[] = []

  const keep = async (part: Part) => {
    report(`Starting ${part.name} …`)
    started.push(part)
    const running = keepRunning(part, stopping, report)
    activities.push(running)
    activities.push((await running).watch)
  }
  const startDatabase = async () => {
    if (postgres) await keep(postgres)
    const { applied } = await migrateToLatest(databaseUrl())
    if (applied.length > 0) report(`Database schema: ${applied.length} migrations applied.`)
  }

  return {
    start: async () => {
      await Promise.all([
        startDatabase(),
        temporal && keep(temporal),
        sampleService.awaitLeftover(),
        worker.awaitLeftover(),
        pages?.awaitLeftover(),
      ])
      await ports.choose('sampleService')
      const portOfWorker = samplePort()
      await Promise.all([keep(sampleService), keep(worker)])
      if (samplePort() !== portOfWorker) await worker.stop(true) // starts again with the new address
      if (pages) await keep(pages)
      const uiUrl = webUiUrl()
      const pagesUrl = pages?.address()
      return {
        temporalAddress: temporalAddress(),
        temporalNamespace: config.temporalNamespace,
        databaseUrl: databaseUrl(),
        ...(uiUrl === undefined ? {} : { webUiUrl: uiUrl }),
        ...(pagesUrl === undefined ? {} : { pagesUrl }),
        sampleServiceUrl: sampleServiceUrl(),
        home: home.path,
      }
    },
    stop: async (urgent) => {
      urgent.addEventListener('abort', () => {
        for (const part of inStopOrder) void part.stop(true)
      })
      for (const part of inStopOrder) {
        if (started.includes(part)) report(`Stopping ${part.name} …`)
        await part.stop(urgent.aborted)
      }
      await Promise.allSettled(activities)
      for (const part of inStopOrder) await part.stop(true) // started in the moment of the request
      ports.release()
    },
  }
}
