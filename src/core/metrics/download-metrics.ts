/** Measures of downloads, under the names of the document that they follow (`activities/download-metrics.ts`). */
import type { Metric } from './metric.ts'

const resolver = 'a resolver of the settings, the first 50, or other, or none'
const own = (metric: Omit<Metric, 'scope'>): Metric => ({ ...metric, scope: 'own' })

export const downloadMetrics = [
  own({
    name: 'contentdownload_attempts_total',
    kind: 'counter',
    unit: 'count',
    labels: {
      resolver,
      verb: 'http-head, http-get, http-200, http-304, cache-hit, …',
      status: 'HTTP status, or none',
      reason: 'why it failed, of the closed list in download.md, or none',
    },
    text: 'Requests, and uses of what is stored',
  }),
  own({
    name: 'contentdownload_retries_total',
    kind: 'counter',
    unit: 'count',
    labels: { resolver, reason: 'why' },
    text: 'Attempts at a job that follow another',
  }),
  own({
    name: 'contentdownload_bytes_total',
    kind: 'counter',
    unit: 'bytes',
    labels: { resolver, kind: 'wire, stored' },
    text: 'Bytes, received (wire) and kept (stored)',
  }),
  own({
    name: 'contentdownload_outcomes_total',
    kind: 'counter',
    unit: 'count',
    labels: { resolver, outcome: 'done, error', reason: 'why it failed, or none' },
    text: 'Jobs that have come to their end',
  }),
  own({
    name: 'contentdownload_jobs_completed_total',
    kind: 'counter',
    unit: 'count',
    labels: {},
    text: 'The same, of all kinds',
  }),
  own({
    name: 'contentdownload_http_latency_ms',
    kind: 'histogram',
    unit: 'ms',
    labels: { resolver, verb: 'HEAD, GET' },
    text: 'From a request to the end of its answer',
  }),
  own({
    name: 'contentdownload_rate_limit_sleep_ms',
    kind: 'histogram',
    unit: 'ms',
    labels: { resolver },
    text: 'Waiting for the permit of a request',
  }),
] as const satisfies readonly Metric[]
