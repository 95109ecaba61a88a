/** Options of `worker`: each stands in the place of a setting of the environment, within the same bounds. */
import { type Command, InvalidArgumentError } from 'commander'
import { type Config, metricsPlace, pollersText } from '../config.ts'

export interface WorkerFlags {
  readonly activities?: number
  readonly pollers?: string
  readonly dbConnections?: number
  /** Seconds. */
  readonly grace?: number
  readonly healthPort?: number
  readonly healthHost?: string
  readonly metrics?: string
}

/** What of the settings belongs to one worker process. */
export type WorkerSizes = Pick<
  Config,
  | 'activities'
  | 'pollers'
  | 'dbConnections'
  | 'graceMs'
  | 'healthPort'
  | 'healthHost'
  | 'metricsAddress'
>

export function addWorkerFlags(command: Command): Command {
  return command
    .option('--activities <n>', 'activities in flight in this process (default: 40)', from(1, 1000))
    .option('--pollers <n>', 'requests for work open at Temporal, or auto (default: 10)', pollers)
    .option('--db-connections <n>', 'connections to the database (default: 10)', from(2, 200))
    .option(
      '--grace <seconds>',
      'how long answers on their way have when it ends (default: 5)',
      from(0, 600),
    )
    .option(
      '--health-port <port>',
      'answer /healthz and /readyz there; 0 takes a free port',
      from(0, 65_535),
    )
    .option('--health-host <address>', 'address for them (default: 127.0.0.1)')
    .option('--metrics <address:port>', 'answer /metrics for Prometheus there', metricsAddress)
}

export function workerSizes(flags: WorkerFlags, config: Config): WorkerSizes {
  return {
    activities: flags.activities ?? config.activities,
    pollers: flags.pollers ?? config.pollers,
    dbConnections: flags.dbConnections ?? config.dbConnections,
    graceMs: flags.grace === undefined ? config.graceMs : flags.grace * 1_000,
    healthPort: flags.healthPort ?? config.healthPort,
    healthHost: flags.healthHost ?? config.healthHost,
    metricsAddress: flags.metrics ?? config.metricsAddress,
  }
}

function metricsAddress(text: string): string {
  if (metricsPlace.test(text)) return text
  throw new InvalidArgumentError('expected an address and a port, like 127.0.0.1:9464')
}

function pollers(text: string): string {
  if (pollersText.test(text)) return text
  throw new InvalidArgumentError('expected auto, or a whole number from 2 to 100')
}

function from(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`)
  }
}
