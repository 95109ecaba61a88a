/** Where this process tells what it does: the SDK's own exporter, so that its figures and ours are at one address. */
import type { TelemetryOptions } from '@temporalio/worker'
import { downloadBuckets } from '../../activities/download-metrics.ts'
import { requestLatency } from '../../core/metrics/work-metrics.ts'

/** Steps of the histograms of all parts of a worker, by name; who adds a histogram adds its steps here. */
const buckets: Readonly<Record<string, readonly number[]>> = {
  ...downloadBuckets,
  [requestLatency.name]: requestLatency.steps,
}

/** @param address host:port where `/metrics` answers; undefined: nowhere, and nothing is counted */
export function metricsOptions(address: string | undefined): Pick<TelemetryOptions, 'metrics'> {
  if (address === undefined) return {}
  const steps = Object.entries(buckets).map(([name, ends]): [string, number[]] => [name, [...ends]])
  return {
    metrics: {
      attachServiceName: false,
      prometheus: {
        bindAddress: address,
        histogramBucketOverrides: Object.fromEntries(steps),
      },
    },
  }
}
