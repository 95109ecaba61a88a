/**
 * What downloads tell a metrics server, under the names of the document that they follow. Labels are words of short lists:
 * resolvers of the settings, verbs, statuses and reasons; never an address or a host.
 */
import type { MetricMeter } from '@temporalio/common'
import { boundedLabel } from '../core/metrics/bounded-label.ts'
import type { AttemptLog } from './attempt-log.ts'

/** Upper ends of the steps of histograms, by name, ms. */
export const downloadBuckets: Readonly<Record<string, readonly number[]>> = {
  contentdownload_http_latency_ms: [
    5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000,
  ],
  contentdownload_rate_limit_sleep_ms: [1, 10, 100, 500, 1_000, 2_000, 5_000],
}

/** How an attempt, or a job, came out. */
export interface JobOutcome {
  readonly outcome: 'done' | 'error'
  /** Null: it is done. */
  readonly reason: string | null
}

export interface DownloadMetrics {
  /** The same log, counted. */
  counted(log: AttemptLog): AttemptLog
  /** A job has come to its end, by the way that its log was last at. */
  ended(log: Pick<AttemptLog, 'rows'>, outcome: JobOutcome): void
}

export function createDownloadMetrics(
  meter: Pick<MetricMeter, 'createCounter' | 'createHistogram'>,
): DownloadMetrics {
  const counter = (name: string, text: string) => meter.createCounter(name, undefined, text)
  const ms = (name: string, text: string) => meter.createHistogram(name, 'int', undefined, text)
  const attempts = counter('contentdownload_attempts_total', 'Requests, and uses of what is stored')
  const retries = counter('contentdownload_retries_total', 'Attempts at a job that follow another')
  const bytes = counter('contentdownload_bytes_total', 'Bytes, received (wire) and kept (stored)')
  const outcomes = counter('contentdownload_outcomes_total', 'Jobs that have come to their end')
  const completed = counter('contentdownload_jobs_completed_total', 'The same, of all kinds')
  const latency = ms('contentdownload_http_latency_ms', 'From a request to the end of its answer')
  const sleep = ms('contentdownload_rate_limit_sleep_ms', 'Waiting for the permit of a request')
  const labelOf = boundedLabel()

  return {
    counted(log) {
      let resolver = 'none'
      /** What the log has just written. */
      const count = () => {
        const { verb, status, reason } = log.rows().at(-1) ?? { verb: 'none' }
        attempts.add(1, { resolver, verb, status: status ?? 'none', reason: reason ?? 'none' })
      }
      return {
        rows: () => log.rows(),
        begin(name, plan) {
          resolver = labelOf(name)
          log.begin(name, plan)
        },
        enter: (phase) => log.enter(phase),
        exchange(exchange) {
          log.exchange(exchange)
          count()
          const verb = exchange.method
          latency.record(Math.round(exchange.latencyMs), { resolver, verb })
          sleep.record(Math.round(exchange.permitMs), { resolver })
          bytes.add(exchange.wireBytes, { resolver, kind: 'wire' })
        },
        cached(facts) {
          log.cached(facts)
          count()
        },
        stored(storedBytes, cacheStatus) {
          log.stored(storedBytes, cacheStatus)
          if (cacheStatus !== 'revalidated') bytes.add(storedBytes, { resolver, kind: 'stored' })
        },
        retry(reason, host) {
          log.retry(reason, host)
          retries.add(1, { resolver, reason })
        },
      }
    },
    ended(log, { outcome, reason }) {
      const name = log.rows().at(-1)?.resolver
      const resolver = name === undefined ? 'none' : labelOf(name)
      outcomes.add(1, { resolver, outcome, reason: reason ?? 'none' })
      completed.add(1)
    },
  }
}
