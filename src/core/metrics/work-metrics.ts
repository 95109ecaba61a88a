/** Measures of matches and extractions that a worker counts as it works. */
import type { Metric } from './metric.ts'

export const recordsDecided = {
  name: 'recordlinker_records_total',
  kind: 'counter',
  unit: 'count',
  labels: { outcome: 'matched, review, no_candidate, skipped, failed' },
  text: 'Records that a match has decided, or given up as failed',
  scope: 'own',
} as const satisfies Metric

export const lookupsPlanned = {
  name: 'recordlinker_lookups_total',
  kind: 'counter',
  unit: 'count',
  labels: { answer: 'stored (nobody has to be asked), missing' },
  text: 'Distinct questions of the plans of runs: how many of them the stored answers serve',
  scope: 'own',
} as const satisfies Metric

export const requestsSent = {
  name: 'recordlinker_requests_total',
  kind: 'counter',
  unit: 'count',
  labels: {
    outcome:
      'ok, redirect, cancelled, throttled, unreachable, transient, permanent, endpoint (what-happens-if.md)',
  },
  text: 'Requests of matches and extractions to services and sources; downloads have their own',
  scope: 'own',
} as const satisfies Metric

export const requestLatency = {
  name: 'recordlinker_request_latency_ms',
  kind: 'histogram',
  unit: 'ms',
  labels: {},
  text: 'From a request of these to the end of its answer',
  scope: 'own',
  steps: [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 90_000],
} as const satisfies Metric

export const extractedPages = {
  name: 'recordlinker_extract_pages_total',
  kind: 'counter',
  unit: 'count',
  labels: {
    source: 'name of the profile, of the first 50, or other',
    outcome: 'stored, retried, failed',
  },
  text: 'Pages of lists of a source, by how asking for them came out',
  scope: 'own',
} as const satisfies Metric

export const extractedItems = {
  name: 'recordlinker_extract_items_total',
  kind: 'counter',
  unit: 'count',
  labels: { source: 'name of the profile, of the first 50, or other' },
  text: 'Items on the pages that were stored',
  scope: 'own',
} as const satisfies Metric

export const workMetrics = [
  recordsDecided,
  lookupsPlanned,
  requestsSent,
  requestLatency,
  extractedPages,
  extractedItems,
] as const satisfies readonly Metric[]
