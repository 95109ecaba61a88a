import type { MetricMeter, MetricTags } from '@temporalio/common'
import { noopMetricMeter } from '@temporalio/common'
import { expect, it } from 'vitest'
import { createAttemptLog } from '../../../src/activities/attempt-log.ts'
import { createDownloadMetrics } from '../../../src/activities/download-metrics.ts'

function recordingMeter() {
  const told: (readonly [string, number, MetricTags | undefined])[] = []
  const note = (name: string) => (value: number, tags?: MetricTags) =>
    void told.push([name.replace('contentdownload_', ''), value, tags])
  const meter: Pick<MetricMeter, 'createCounter' | 'createHistogram'> = {
    createCounter: (name, ...rest) => ({
      ...noopMetricMeter.createCounter(name, ...rest),
      add: note(name),
    }),
    createHistogram: (name, ...rest) => ({
      ...noopMetricMeter.createHistogram(name, ...rest),
      record: note(name),
    }),
  }
  return { meter, told }
}

it('what the log of an attempt notes is counted, by resolver, verb, status and reason', () => {
  const { meter, told } = recordingMeter()
  const metrics = createDownloadMetrics(meter)
  const log = metrics.counted(createAttemptLog({ id: 1, attempt: 1 }))
  const exchange = {
    domain: 'files.example',
    method: 'GET',
    url: 'https://files.example/a',
    latencyMs: 12.4,
    permitMs: 3.6,
    wireBytes: 100,
    offset: 0,
  } as const
  log.begin('doi', -1)
  log.exchange({ ...exchange, status: 503, kind: 'transient', reason: 'server-error' })
  log.begin('direct', 0)
  log.exchange({ ...exchange, status: 200, kind: 'ok', reason: null })
  log.stored(90, 'stored')
  log.cached({ verb: 'cache-hit', host: 'files.example', bytes: 7, cacheStatus: 'hit' })
  log.retry('truncated', 'files.example')
  metrics.ended(log, { outcome: 'done', reason: null })
  expect(told).toEqual([
    [
      'attempts_total',
      1,
      { resolver: 'doi', verb: 'http-get', status: 503, reason: 'server-error' },
    ],
    ['http_latency_ms', 12, { resolver: 'doi', verb: 'GET' }],
    ['rate_limit_sleep_ms', 4, { resolver: 'doi' }],
    ['bytes_total', 100, { resolver: 'doi', kind: 'wire' }],
    ['attempts_total', 1, { resolver: 'direct', verb: 'http-200', status: 200, reason: 'none' }],
    ['http_latency_ms', 12, { resolver: 'direct', verb: 'GET' }],
    ['rate_limit_sleep_ms', 4, { resolver: 'direct' }],
    ['bytes_total', 100, { resolver: 'direct', kind: 'wire' }],
    ['bytes_total', 90, { resolver: 'direct', kind: 'stored' }],
    [
      'attempts_total',
      1,
      { resolver: 'direct', verb: 'cache-hit', status: 'none', reason: 'none' },
    ],
    ['retries_total', 1, { resolver: 'direct', reason: 'truncated' }],
    ['outcomes_total', 1, { resolver: 'direct', outcome: 'done', reason: 'none' }],
    ['jobs_completed_total', 1, undefined],
  ])
  expect(log.rows()).toHaveLength(4)
})
