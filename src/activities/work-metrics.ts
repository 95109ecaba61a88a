/** What matches and extractions tell a metrics server as they work. */
import type { MetricMeter } from '@temporalio/common'
import {
  extractedItems,
  extractedPages,
  lookupsPlanned,
  recordsDecided,
  requestLatency,
  requestsSent,
} from '../core/metrics/work-metrics.ts'
import { boundedLabel } from '../core/metrics/bounded-label.ts'
import type { Metric } from '../core/metrics/metric.ts'
import type { HttpClient } from '../http/http-client.ts'

const OUTCOMES = ['matched', 'review', 'no_candidate', 'skipped', 'failed']
const CALL_OUTCOMES = ['ok', 'throttled', 'unreachable', 'transient', 'permanent', 'endpoint']

/** How many records were decided, by outcome; `failed` is one of them. */
export type OutcomeCounts = Readonly<Record<string, number>>

export interface WorkMetrics {
  readonly decided: (counts: OutcomeCounts) => void
  planned(lookups: number, missing: number): void
  page(source: string, outcome: 'stored' | 'retried' | 'failed', items: number): void
  /** The same client, whose requests are counted. */
  measured(http: Pick<HttpClient, 'request'>): Pick<HttpClient, 'request'>
}

export function createWorkMetrics(
  meter: Pick<MetricMeter, 'createCounter' | 'createHistogram'>,
): WorkMetrics {
  const counter = ({ name, text }: Metric) => meter.createCounter(name, undefined, text)
  const records = counter(recordsDecided)
  const lookups = counter(lookupsPlanned)
  const requests = counter(requestsSent)
  const pages = counter(extractedPages)
  const items = counter(extractedItems)
  const latency = meter.createHistogram(requestLatency.name, 'int', undefined, requestLatency.text)
  const sourceLabel = boundedLabel()
  // A rate of what has not happened yet is 0, and not unknown.
  for (const outcome of OUTCOMES) records.add(0, { outcome })
  for (const outcome of CALL_OUTCOMES) requests.add(0, { outcome })
  for (const answer of ['stored', 'missing']) lookups.add(0, { answer })
  return {
    decided(counts) {
      for (const [outcome, count] of Object.entries(counts)) records.add(count, { outcome })
    },
    planned(all, missing) {
      lookups.add(all - missing, { answer: 'stored' })
      lookups.add(missing, { answer: 'missing' })
    },
    page(name, outcome, count) {
      const source = sourceLabel(name)
      pages.add(1, { source, outcome })
      items.add(count, { source })
    },
    measured: (http) => ({
      request: (request) =>
        http.request({
          ...request,
          onExchange(exchange) {
            requests.add(1, { outcome: exchange.kind })
            latency.record(Math.round(exchange.latencyMs))
            request.onExchange?.(exchange)
          },
        }),
    }),
  }
}
