import { DefaultLogger, Runtime } from '@temporalio/worker'
import type { Logger } from '../log.ts'

/** Sends what the SDK and its native core have to say into our log. Once per process, before anything else. */
export function installTemporalLog(log: Logger): void {
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => {
    const write =
      level === 'ERROR'
        ? log.error
        : level === 'WARN'
          ? log.warn
          : level === 'INFO'
            ? log.info
            : log.debug
    write.call(log, meta ?? {}, message)
  })
  Runtime.install({
    logger,
    // Signals are ours to handle: `runWorker` shuts down in its own order.
    shutdownSignals: [],
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } } },
  })
}
