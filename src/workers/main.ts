/**
 * The worker as a child process of the embedded stack: addresses come from its environment, `ready` goes to the parent
 * as soon as both queues are polled, and it drains when told to stop or when its parent is gone.
 */
import { limitsPlace } from '../client/limits/limits-file.ts'
import { homePaths } from '../client/stack/home.ts'
import { artifactStoreUri } from '../client/download/artifact-store-uri.ts'
import { programCache } from '../client/stack/program-cache.ts'
import { loadConfig } from '../config.ts'
import { RecordLinkerError } from '../errors.ts'
import { createLog } from '../log.ts'
import { logLastWords } from './last-words.ts'
import { runWorker } from './run-worker.ts'
import { stopAtSignals } from './stop-at-signals.ts'

const config = loadConfig(process.env)
const log = createLog('worker', config.logLevel)
const stopping = stopAtSignals(log)
logLastWords(log)

try {
  const { temporalAddress, databaseUrl } = config
  if (temporalAddress === undefined || databaseUrl === undefined) {
    throw new RecordLinkerError({
      code: 'worker_without_servers',
      message: 'The worker was started without TEMPORAL_ADDRESS and DATABASE_URL.',
      hint: 'Start it with: ./record-linker worker',
    })
  }
  await runWorker({
    temporalAddress,
    temporalNamespace: config.temporalNamespace,
    databaseUrl,
    contact: config.contact,
    credentials: config.credentials,
    // The stack of whoever types the commands.
    runsCommands: config.endCommands ?? true,
    sampleServiceUrl: process.env['RECORD_LINKER_SAMPLE_URL'],
    wikidataUrl: config.wikidataUrl,
    wikidataToken: config.wikidataToken,
    limits: limitsPlace(config),
    cacheFolder: programCache(homePaths(config.home).cache),
    home: config.home,
    storeUri: artifactStoreUri(config),
    log,
    activities: config.activities,
    pollers: config.pollers,
    dbConnections: config.dbConnections,
    graceMs: config.graceMs,
    healthPort: config.healthPort,
    healthHost: config.healthHost,
    metricsAddress: config.metricsAddress,
    tracesEndpoint: config.tracesEndpoint,
    stopping,
    onReady: () => process.send?.({ ready: true }),
  })
  process.exit(0)
} catch (error) {
  log.fatal({ err: error }, 'The worker ended.')
  process.exit(1)
}
