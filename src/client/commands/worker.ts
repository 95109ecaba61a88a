import type { Command } from 'commander'
import { addWorkerFlags, type WorkerFlags, workerSizes } from '../worker-flags.ts'

/** Adds `worker`. */
export function register(program: Command): void {
  const command = program
    .command('worker')
    .summary('run a further worker in the foreground')
    .description(
      'Runs a worker until Ctrl-C, which drains it: what is on its way arrives and is kept, other workers do the rest. Workers share all limits, so more of them never ask faster.',
    )
  addWorkerFlags(command)
    .addHelpText(
      'after',
      `
Each option has a variable of the environment, see "./record-linker config". Sizes: docs/operations.md.

Examples:
  ./record-linker worker
  ./record-linker worker --health-port 8081
  TEMPORAL_ADDRESS=temporal:7233 DATABASE_URL=postgresql://… ./record-linker worker`,
    )
    .action(runUntilStopped)
}

async function runUntilStopped(flags: WorkerFlags): Promise<void> {
  const { withCommandContext } = await import('../command-context.ts')
  const { createLog } = await import('../../log.ts')
  const { say } = await import('../output.ts')
  await withCommandContext(async ({ config, stack }) => {
    const { limitsPlace } = await import('../limits/limits-file.ts')
    const { artifactStoreUri } = await import('../download/artifact-store-uri.ts')
    const { homePaths } = await import('../stack/home.ts')
    const { programCache } = await import('../stack/program-cache.ts')
    const { runWorker } = await import('../../workers/run-worker.ts')
    const { logLastWords } = await import('../../workers/last-words.ts')
    const { stopAtSignals } = await import('../../workers/stop-at-signals.ts')
    const log = createLog('worker', config.logLevel)
    logLastWords(log)
    await runWorker({
      temporalAddress: stack.temporalAddress,
      temporalNamespace: stack.temporalNamespace,
      databaseUrl: stack.databaseUrl,
      contact: config.contact,
      credentials: config.credentials,
      // Where others may write to the database, its commands are run only by who says so.
      runsCommands: config.endCommands ?? stack.webUiUrl !== undefined,
      sampleServiceUrl: stack.sampleServiceUrl,
      wikidataUrl: config.wikidataUrl,
      wikidataToken: config.wikidataToken,
      limits: limitsPlace(config),
      cacheFolder: programCache(homePaths(config.home).cache),
      home: config.home,
      storeUri: artifactStoreUri(config),
      ...workerSizes(flags, config),
      tracesEndpoint: config.tracesEndpoint,
      log,
      stopping: stopAtSignals(log),
      onReady: () => say('The worker is ready; Ctrl-C drains and ends it.'),
    })
  })
}
