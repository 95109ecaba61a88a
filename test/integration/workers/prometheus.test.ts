/**
 * A real Prometheus with the configuration that is shipped scrapes a real worker that matches, extracts and downloads:
 * each question of each dashboard has an answer, and what alerts look at is there.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { obtainPrometheus } from '../../../scripts/set-up/prometheus.mjs'
import { startDispatcher } from '../../../src/client/download/opened-queue.ts'
import { startExtraction } from '../../../src/client/extract/start-extraction.ts'
import { anyFreePort } from '../../../src/client/stack/free-port.ts'
import { packageRoot } from '../../../src/config.ts'
import { newJob } from '../../../src/core/download/artifact-id.ts'
import { defaultQueueOptions } from '../../../src/core/download/queue-options.ts'
import { checkConfig } from '../../../src/core/extract/parallel-config.ts'
import { ensureQueue } from '../../../src/db/download-queues.repo.ts'
import { enqueueJobs } from '../../../src/db/job-intake.repo.ts'
import { type BrandService, startBrandService } from '../../support/brands.ts'
import { countedItems, type FakeSource, startFakeSource } from '../../support/fake-source.ts'
import { type FileOrigin, startFileOrigin } from '../../support/file-origin.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { startGuardian } from '../../support/start-guardian.ts'
import {
  type PrometheusServer,
  shippedPrometheus,
  startPrometheus,
} from '../../support/without-docker/prometheus-server.ts'
import { openWorkerSite, type WorkerSite } from '../../support/worker-site.ts'

// Processes that start on a busy machine take their time.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 })

const run = promisify(execFile)
const guardian = startGuardian()
const folder = mkdtempSync(join(tmpdir(), 'record-linker-prometheus-'))
guardian.guardFolder(folder)

let tools: Awaited<ReturnType<typeof obtainPrometheus>>
let site: WorkerSite
let origin: FileOrigin
let service: BrandService
let source: FakeSource
let metrics: string
let prometheus: PrometheusServer

beforeAll(async () => {
  tools = await obtainPrometheus()
  site = await openWorkerSite()
  origin = await startFileOrigin()
  service = await startBrandService()
  source = await startFakeSource({ items: countedItems(30) })
  metrics = `127.0.0.1:${await anyFreePort()}`
  const worker = site.startWith({ args: ['--grace', '0', '--metrics', metrics] })
  const program = tools.prometheus
  prometheus = await startPrometheus(guardian, { program, folder, targets: [metrics] })
  await worker.until('The worker is ready')
  await Promise.all([matchSome(), extractSome(), downloadSome(0)])
})
afterAll(async () => {
  await site.close()
  await origin.close()
  await service.close()
  await source.close()
  await guardian.cleanUp()
})

it('each question of each dashboard has an answer', async () => {
  const questions = readdirSync(join(packageRoot, 'docs/dashboards')).flatMap((file) =>
    questionsOf(readFileSync(join(packageRoot, 'docs/dashboards', file), 'utf8')),
  )
  expect(questions.length).toBeGreaterThan(30)
  // A rate is of what is counted between two looks, and so little is over between one and the next.
  let round = 0
  const isAnswered = async () => {
    await Promise.all([matchSome(), extractSome(), downloadSome(++round)])
    expect(await withoutAnswer(questions)).toEqual([])
  }
  await vi.waitFor(isAnswered, { timeout: 120_000, interval: 1_000 })
})

it('each choice of a dashboard has something to choose', async () => {
  const choices = readdirSync(join(packageRoot, 'docs/dashboards')).flatMap((file) => {
    const text = readFileSync(join(packageRoot, 'docs/dashboards', file), 'utf8')
    return [...text.matchAll(/label_values\((\w+), (\w+)\)/g)].map(
      ([, metric, label]) => `${metric}{${label}!=""}`,
    )
  })
  expect(choices.length).toBeGreaterThan(2)
  expect(await withoutAnswer(choices)).toEqual([])
})

it('all that alerts look at is told by the worker', async () => {
  const rules = readFileSync(join(shippedPrometheus, 'rules.yml'), 'utf8')
  const names = rules.match(/\b(?:contentdownload|recordlinker|temporal)_\w+/g) ?? []
  const asked = [...new Set(names), 'up{job="record-linker"} == 1']
  expect(await withoutAnswer(asked)).toEqual([])
  // What the alerts were tried out with has the labels of the real series.
  const tried = readFileSync(join(shippedPrometheus, 'rules.test.yml'), 'utf8')
  const series = [...tried.matchAll(/series: '?(\w+)\{([^}]*)\}/g)].map(([, name, labels = '']) => {
    const wanted = [...labels.matchAll(/(\w+)=/g)].map(([, label]) => `${label}=~".+"`)
    return `${name}{${wanted.join(',')}}`
  })
  expect(series.length).toBeGreaterThan(10)
  expect(await withoutAnswer(series)).toEqual([])
  // No label of ours is one that Prometheus gives itself, which it would rename.
  expect(await withoutAnswer(['{exported_job!=""} or {exported_instance!=""}'])).toHaveLength(1)
  // The rules are evaluated without an error, and nothing is wrong with this worker.
  const { data } = await prometheus.ask('rules')
  const shown = JSON.stringify(data)
  expect(shown).toContain('StuckRun')
  expect(shown).not.toContain('"health":"err"')
})

it('no series is named after an address, a file or a record', async () => {
  const text = await (await fetch(`http://${metrics}/metrics`)).text()
  const own = text.split('\n').filter((line) => /^(?:contentdownload|recordlinker)_/.test(line))
  expect(own.filter((line) => /https?:|\/|Brand|fresh/.test(line))).toEqual([])
  // Nor what the SDK of Temporal tells.
  expect(text.split('\n').filter((line) => /:\/\/|Brand|fresh/.test(line))).toEqual([])
})

it('promtool accepts the configuration and the rules, and sees each alert fire', async () => {
  const config = await run(tools.promtool, [
    'check',
    'config',
    join(shippedPrometheus, 'prometheus.yml'),
  ])
  expect(config.stdout).toContain('SUCCESS')
  const rules = await run(tools.promtool, ['test', 'rules', 'rules.test.yml'], {
    cwd: shippedPrometheus,
  })
  expect(rules.stdout).toContain('SUCCESS')
})

async function withoutAnswer(expressions: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(
    expressions.map(async (expr) => {
      const { data } = await prometheus.ask(`query?query=${encodeURIComponent(expr)}`)
      const values = data.result?.filter(({ value: [, number] }) => number !== 'NaN') ?? []
      return { expr, count: values.length }
    }),
  )
  return answers.flatMap(({ expr, count }) => (count === 0 ? [expr] : []))
}

function questionsOf(dashboard: string): readonly string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a dashboard of ours
  const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] }
  return panels
    .flatMap(({ targets }) => targets)
    .map(({ expr }) =>
      expr.replaceAll('$__rate_interval', '2m').replaceAll(/\$(?:domain|resolver|source)/g, '.*'),
    )
}

async function matchSome(): Promise<void> {
  const records = Array.from({ length: 20 }, (_, n) => ({ id: `b${n}`, name: `Brand ${n}` }))
  const { id } = await createTestProject(site.db, service.ownAddress(), records, {
    mapping: { name: 'name', variants: [], properties: [] },
  })
  await (await site.match(id)).result()
}

async function extractSome(): Promise<void> {
  const { handle } = await startExtraction(site.client, site.db, {
    profile: source.profile('offset'),
    dataset: 'items',
    types: ['items'],
    options: {
      config: checkConfig({ batchSize: 10 }).config,
      maxAttempts: 3,
      mostAbsentPercent: 20,
      giveUpAfterMs: 24 * 60 * 60 * 1000,
      rereads: 0,
    },
  })
  await handle.result()
}

/** New ones, one from the cache, one asked for again and unchanged, one repeated, one missing. */
async function downloadSome(round: number): Promise<void> {
  const fresh = { body: 'for an hour', headers: { 'cache-control': 'max-age=3600' } }
  const stale = { etag: '"v1"', 'cache-control': 'max-age=0' }
  origin.serve(`/fresh/${round}`, fresh)
  origin.script(`/stale/${round}`, [
    { body: 'asked again', headers: stale },
    { status: 304, headers: stale },
  ])
  origin.script(`/repeated/${round}`, [{ status: 503 }, { body: 'at the second time' }])
  const changes = { allowedAddresses: ['127.0.0.0/8'], reserveBytes: 0, backoffMs: [50] }
  const options = { ...defaultQueueOptions, ...changes }
  for (const queue of [`first-${round}`, `second-${round}`]) {
    await ensureQueue(site.db, queue, options)
    const paths = ['/fresh', '/stale', '/repeated', '/missing']
    const jobs = paths.flatMap((path) => {
      const job = newJob({ artifact: { urls: [origin.url(`${path}/${round}`)] } }, options)
      return job === undefined ? [] : [job]
    })
    await enqueueJobs(site.db, queue, jobs)
    await (await startDispatcher(site.client, queue, { drain: true })).result()
  }
  // One that waits: nobody takes it up.
  await ensureQueue(site.db, 'waiting', options)
  const job = newJob({ artifact: { urls: [origin.url(`/fresh/${round}`)] } }, options)
  await enqueueJobs(site.db, 'waiting', job === undefined ? [] : [job])
}
