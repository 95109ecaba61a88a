import { DefaultLogger, Runtime } from '@temporalio/worker'
import { UsageError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { metricsOptions } from './metrics/metrics-options.ts'

/**
 * Sends what the SDK and its native core have to say into our log, and what is measured to an address of its own. Once
 * per process, before anything else.
 * @param metricsAddress host:port; absent: nothing is measured
 * @throws UsageError `metrics_address_unusable`
 */
export function installTemporalLog(log: Logger, metricsAddress?: string): void {
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
  try {
    Runtime.install({
      logger,
      // Signals are ours to handle: `runWorker` shuts down in its own order.
      shutdownSignals: [],
      telemetryOptions: {
        logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } },
        ...metricsOptions(metricsAddress),
      },
    })
  } catch (cause) {
    if (metricsAddress === undefined) throw cause
    throw new UsageError({
      code: 'metrics_address_unusable',
      message: `The worker cannot answer /metrics on ${metricsAddress}; expected an address of this machine that nobody uses.`,
      hint: 'Give each worker an address of its own: --metrics 127.0.0.1:9465, or RECORD_LINKER_METRICS.',
      cause,
    })
  }
}
