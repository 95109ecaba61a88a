import { join } from 'node:path'
import type { Command } from 'commander'

/** Adds `worker`. */
export function register(program: Command): void {
  program
    .command('worker')
    .summary('run a further worker in the foreground')
    .description(
      'Runs a worker until Ctrl-C, which drains it. Workers share all limits, so more of them never ask faster.',
    )
    .addHelpText(
      'after',
      `
Examples:
  ./record-linker worker
  TEMPORAL_ADDRESS=temporal:7233 DATABASE_URL=postgresql://… ./record-linker worker`,
    )
    .action(async () => {
      const { withCommandContext } = await import('../command-context.ts')
      const { createLog } = await import('../../log.ts')
      const { say } = await import('../output.ts')
      await withCommandContext(async ({ config, stack }) => {
        const { limitsPlace } = await import('../limits/limits-file.ts')
        const { runWorker } = await import('../../workers/run-worker.ts')
        const { logLastWords } = await import('../../workers/last-words.ts')
        const log = createLog('worker', config.logLevel)
        logLastWords(log)
        const stopping = new AbortController()
        for (const signal of ['SIGINT', 'SIGTERM'] as const) {
          process.once(signal, () => stopping.abort())
        }
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
          cacheFolder: join(config.home, 'cache'),
          log,
          stopping: stopping.signal,
          onReady: () => say('The worker is ready; Ctrl-C drains and ends it.'),
        })
      })
    })
}
