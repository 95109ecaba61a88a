/** What dashboards, alerts and pages say of metrics is what workers tell. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { noopMetricMeter } from '@temporalio/common'
import { expect, it } from 'vitest'
import { createDownloadMetrics } from '../../src/activities/download-metrics.ts'
import { createWorkMetrics } from '../../src/activities/work-metrics.ts'
import { packageRoot } from '../../src/config.ts'
import { downloadMetrics } from '../../src/core/metrics/download-metrics.ts'
import { ownMetrics } from '../../src/core/metrics/metrics-page.ts'
import { sdkMetrics } from '../../src/core/metrics/sdk-metrics.ts'
import { workMetrics } from '../../src/core/metrics/work-metrics.ts'

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
}

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8')
const dashboards = readdirSync(join(packageRoot, 'docs/dashboards'))
const rules = read('deploy/prometheus/rules.yml')
const NAMES = /\b(?:contentdownload|recordlinker|temporal)_\w+/g

function metricsOf(expressions: readonly string[]): readonly string[] {
  const names = expressions.flatMap((expr) => expr.match(NAMES) ?? [])
  return [...new Set(names.map((name) => name.replace(/_bucket$/, '')))].toSorted()
}

function shownBy(file: string): readonly string[] {
  const { panels } = JSON.parse(read(`docs/dashboards/${file}`)) as Dashboard
  return metricsOf(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
}

it('the counters are created as they are described', () => {
  const created: (readonly [string, string | undefined])[] = []
  const meter: Parameters<typeof createWorkMetrics>[0] = {
    createCounter: (name, unit, text) => {
      created.push([name, text])
      return noopMetricMeter.createCounter(name, unit, text)
    },
    createHistogram: (name, type, unit, text) => {
      created.push([name, text])
      return noopMetricMeter.createHistogram(name, type, unit, text)
    },
  }
  createWorkMetrics(meter)
  createDownloadMetrics(meter)
  const described = [...workMetrics, ...downloadMetrics].map(({ name, text }) => [name, text])
  expect(created.toSorted()).toEqual(described.toSorted())
})

it('names follow the customs of Prometheus: counters end in _total, and nothing else does', () => {
  const odd = ownMetrics.filter(
    ({ name, kind }) => (kind === 'counter') !== name.endsWith('_total'),
  )
  expect(odd).toEqual([])
})

it('no label is one that Prometheus gives to every series', () => {
  const own = ownMetrics.flatMap(({ labels }) => Object.keys(labels))
  expect(own.filter((label) => ['job', 'instance', 'le', 'quantile'].includes(label))).toEqual([])
})

it('dashboards and alerts ask for nothing that nobody tells', () => {
  const known = [...ownMetrics, ...sdkMetrics].map(({ name }) => name)
  expect(dashboards).toContain('overview.json')
  const asked = [...dashboards.flatMap(shownBy), ...metricsOf([rules])]
  expect(asked.filter((name) => !known.includes(name))).toEqual([])
})

it('each metric of ours is on a dashboard', () => {
  const shown = dashboards.flatMap(shownBy)
  const unseen = ownMetrics.map(({ name }) => name).filter((name) => !shown.includes(name))
  // Of an alert only: a line that is always 1.
  expect(unseen).toEqual(['recordlinker_postgres_up', 'recordlinker_disk_size_bytes'])
})

it('each alert is tried out, and the runbook says what to do', () => {
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  expect(alerts.length).toBeGreaterThan(5)
  const tests = read('deploy/prometheus/rules.test.yml')
  const runbook = read('docs/runbook.md')
  expect(alerts.filter((name) => !tests.includes(`alertname: ${name}`))).toEqual([])
  expect(alerts.filter((name) => !new RegExp(`Alerts?: .*\\b${name}\\b`).test(runbook))).toEqual([])
})
