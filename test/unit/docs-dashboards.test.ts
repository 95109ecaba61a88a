import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { noopMetricMeter } from '@temporalio/common'
import { expect, it } from 'vitest'
import { createDownloadMetrics } from '../../src/activities/download-metrics.ts'
import { packageRoot } from '../../src/config.ts'

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
}

it('the dashboard of downloads shows each measure, and none that nobody tells', () => {
  const names: string[] = ['contentdownload_queue_depth']
  createDownloadMetrics({
    createCounter: (name, ...rest) => {
      names.push(name)
      return noopMetricMeter.createCounter(name, ...rest)
    },
    createHistogram: (name, ...rest) => {
      names.push(`${name}_bucket`)
      return noopMetricMeter.createHistogram(name, ...rest)
    },
  })
  const file = readFileSync(join(packageRoot, 'docs/dashboards/downloads.json'), 'utf8')
  const { panels } = JSON.parse(file) as Dashboard
  const shown = panels
    .flatMap(({ targets }) => targets)
    .flatMap(({ expr }) => expr.match(/contentdownload_\w+/g) ?? [])
  expect([...new Set(shown)].toSorted()).toEqual(names.toSorted())
})
