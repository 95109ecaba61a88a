/** Traces of a real worker process that downloads, extracts and matches, as a receiver of OTLP gets them. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { artifactTraceId, taskTrace } from '../../../src/core/trace-place.ts'
import { sha256 } from '../../../src/db/sha256.ts'
import { type BrandService, startBrandService } from '../../support/brands.ts'
import { countedItems, type FakeSource, startFakeSource } from '../../support/fake-source.ts'
import { type FileOrigin, startFileOrigin } from '../../support/file-origin.ts'
import {
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
} from '../../support/otlp-receiver.ts'
import { downloadSome, extractSome, matchSome } from '../../support/troubled-work.ts'
import { openWorkerSite, type WorkerSite } from '../../support/worker-site.ts'

// Processes that start on a busy machine take their time.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 })

const SECRET = 'collector-s3cret'
const digest = (text: string) => sha256(text).toString('hex')
const folder = mkdtempSync(join(tmpdir(), 'record-linker-traces-'))

let site: WorkerSite
let origin: FileOrigin
let service: BrandService
let source: FakeSource
let receiver: OtlpReceiver
let said: string
let exitCode: number | null

beforeAll(async () => {
  site = await openWorkerSite()
  origin = await startFileOrigin()
  service = await startBrandService()
  source = await startFakeSource({ items: countedItems(20) })
  receiver = await startOtlpReceiver()
  const worker = start({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${SECRET}`,
  })
  await worker.until('The worker is ready')
  await Promise.all([
    matchSome(site, service),
    extractSome(site, source),
    downloadSome(site, origin, 'first'),
  ])
  process.kill(worker.mark.pid, 'SIGTERM')
  const ended = await worker.ended
  said = ended.stdout + ended.stderr
  exitCode = ended.code
})
afterAll(async () => {
  await site.close()
  await origin.close()
  await service.close()
  await source.close()
  await receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

it('each attempt at a file is a trace: where its time went, each request, and how it ended', async () => {
  const jobs = await site.db.selectFrom('jobs').where('queue', '=', 'first').selectAll().execute()
  const job = (path: string) => jobs.find(({ artifact_id: id }) => id.includes(path))
  const attemptsAt = (path: string) => {
    const { id = 0, artifact_id: artifactId = '' } = job(path) ?? {}
    const traceId = artifactTraceId({ queue: 'first', id, artifactId }, digest)
    return made('artifact')
      .filter((one) => one.traceId === traceId)
      .toSorted((a, b) => Number(a.attributes['attempt']) - Number(b.attributes['attempt']))
  }
  const host = new URL(origin.url('/')).host

  const [whole, ...more] = attemptsAt('/whole')
  expect(more).toEqual([])
  expect(whole?.parentSpanId).toBeUndefined()
  expect(whole?.attributes).toMatchObject({
    queue: 'first',
    job: Number(job('/whole')?.id),
    attempt: 1,
    resolver: 'direct',
    outcome: 'done',
    bytes: 9,
    'cache.status': 'stored',
  })
  expect(whole?.status.code).toBe(0)
  expect(under(whole).map(({ name }) => name)).toEqual(['prepare', 'stream', 'finalize'])
  const stream = under(whole)[1]
  expect(under(stream).map(({ name, attributes }) => [name, attributes])).toEqual([
    [
      'http.request',
      expect.objectContaining({
        host: expect.stringContaining(new URL(`http://${host}`).hostname),
        resolver: 'direct',
        verb: 'http-200',
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'cache.from_cache': false,
        'cache.revalidated': false,
      }),
    ],
  ])

  // All attempts at a file are in one trace; the one that failed is an error, by its reason.
  const repeated = attemptsAt('/repeated')
  expect(repeated.map(({ attributes, status }) => [attributes['outcome'], status])).toEqual([
    ['later', { code: 2, message: 'server-error' }],
    ['done', { code: 0 }],
  ])
  expect(attemptsAt('/missing')[0]).toMatchObject({
    status: { code: 2, message: 'not-found' },
    attributes: { outcome: 'error', 'error.type': 'not-found' },
  })
})

it('spans and rows of attempts at files are the same facts', async () => {
  const rows = await site.db
    .selectFrom('download_attempts as a')
    .where('a.verb', '!=', 'retry')
    .select(['a.verb', 'a.status', 'a.reason', 'a.resolver'])
    .execute()
  const files = new Set(receiver.spans('artifact').map(({ traceId }) => traceId))
  const requests = receiver.spans('http.request').filter(({ traceId }) => files.has(traceId))
  const facts = requests.map(({ attributes: a }) => ({
    verb: a['verb'],
    status: a['http.response.status_code'] ?? null,
    reason: a['error.type'] ?? null,
    resolver: a['resolver'],
  }))
  const sorted = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).toSorted()
  expect(rows.length).toBeGreaterThan(3)
  expect(sorted(facts)).toEqual(sorted(rows))
})

it('each attempt at a page of a source is a trace, with its requests', async () => {
  const pages = made('page')
  const [failed, ...stored] = pages.toSorted(
    (a, b) =>
      Number(a.attributes['state'] === 'stored') - Number(b.attributes['state'] === 'stored'),
  )
  expect(
    stored.map(({ attributes: { position, state, rows } }) => [position, state, rows]),
  ).toEqual(
    expect.arrayContaining([
      [0, 'stored', 10],
      [10, 'stored', 10],
    ]),
  )
  expect(failed?.status.code).toBe(2)
  expect(failed?.attributes['error.type']).toBe('server_error')
  const again = pages.filter(({ traceId }) => traceId === failed?.traceId)
  expect(again.map(({ attributes: { attempt } }) => attempt)).toEqual([1, 2])
  for (const page of pages) {
    expect(page.parentSpanId).toBeUndefined()
    expect(page.attributes).toMatchObject({ source: expect.any(String), type: 'items' })
    expect(under(page).map(({ name }) => name)).toEqual(['http.request'])
  }
  expect(under(failed)[0]?.attributes['http.response.status_code']).toBe(500)
})

it('a task of a match is in the trace that its job envelope names: ask, its requests, decide', async () => {
  const run = await site.db.selectFrom('run').selectAll().executeTakeFirstOrThrow()
  const place = taskTrace({ temporalRunId: run.temporal_run_id, task: 1 }, digest)
  const ids = { project: run.project_id, run: 1, task: 1 }
  const task = receiver.spans('task').find(({ spanId }) => spanId === place.spanId)
  expect(task).toMatchObject({ ...place, attributes: ids, status: { code: 0 } })
  expect(task?.parentSpanId).toBeUndefined()
  const steps = under(task)
  expect(new Set(steps.map(({ name }) => name))).toEqual(new Set(['ask', 'decide']))
  expect(steps.find(({ name }) => name === 'decide')?.attributes).toMatchObject({
    ...ids,
    undecided: 0,
  })
  const asked = steps.filter(({ name }) => name === 'ask').flatMap(under)
  expect(asked.length).toBeGreaterThan(0)

  // One that was refused is an error, and was asked again.
  const asks = new Set(receiver.spans('ask').map(({ spanId }) => spanId))
  const requests = receiver
    .spans('http.request')
    .filter(({ parentSpanId = '' }) => asks.has(parentSpanId))
  expect(requests.every(({ kind, traceId }) => kind === 3 && traceId === place.traceId)).toBe(true)
  expect(requests.map(({ status }) => status.message)).toContain('server_error')
})

it('no address, cell, name of a record or secret is in a trace, and no secret in the log', async () => {
  const text = receiver.text()
  expect(text.length).toBeGreaterThan(1_000)
  for (const word of [
    'Brand',
    'Item ',
    'i000',
    '://',
    '/whole',
    '/missing',
    '/list',
    SECRET,
    'tok3n',
  ]) {
    expect(text).not.toContain(word)
  }
  expect(receiver.headers().every((one) => one['authorization'] === SECRET)).toBe(true)
  expect(said).not.toContain(SECRET)
})

it('what was left was sent while the worker drained, and it loaded OpenTelemetry', async () => {
  expect(exitCode).toBe(0)
  expect(said).not.toContain('Traces are not taken')
  expect(loaded().some((path) => path.includes('@opentelemetry/sdk-trace'))).toBe(true)
})

it('a receiver that never answers holds up no work and no end, and is said once', async () => {
  const silent = await startOtlpReceiver()
  silent.answerWith('silence')
  const worker = start({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url })
  await worker.until('The worker is ready')
  await downloadSome(site, origin, 'second')
  process.kill(worker.mark.pid, 'SIGTERM')
  const ended = await worker.ended
  expect(ended.code).toBe(0)
  expect(ended.stderr.match(/Traces are not taken/g)).toHaveLength(1)
  await silent.close()
})

it('without an address of a receiver nothing of OpenTelemetry is loaded', async () => {
  const worker = start({})
  await worker.until('The worker is ready')
  process.kill(worker.mark.pid, 'SIGTERM')
  expect((await worker.ended).code).toBe(0)
  const modules = loaded()
  expect(modules.some((path) => path.includes('@temporalio/worker'))).toBe(true)
  expect(modules.filter((path) => path.includes('@opentelemetry'))).toEqual([])
})

/** A worker whose processes write down, as they end, what modules they had. */
function start(env: Readonly<Record<string, string>>) {
  const probe = join(folder, 'probe.cjs')
  for (const file of readdirSync(folder)) rmSync(join(folder, file))
  writeFileSync(
    probe,
    `process.on('exit', () => require('node:fs').appendFileSync(${JSON.stringify(join(folder, 'modules'))}, Object.keys(require.cache).join('\\n') + '\\n'))`,
  )
  return site.startWith({
    args: ['--grace', '0'],
    env: { NODE_OPTIONS: `--require ${probe}`, ...env },
  })
}

function loaded(): readonly string[] {
  return readFileSync(join(folder, 'modules'), 'utf8').split('\n')
}

/** Attempts that did more than wait: on a busy machine one may find that there is no permit soon. */
function made(name: string): readonly ReceivedSpan[] {
  return receiver.spans(name).filter(({ attributes }) => attributes['waits_for'] === undefined)
}

/** In the order in which they began. */
function under(parent: ReceivedSpan | undefined): readonly ReceivedSpan[] {
  return receiver
    .spans()
    .filter((one) => one.traceId === parent?.traceId && one.parentSpanId === parent.spanId)
    .toSorted((a, b) => Number(a.startNs - b.startNs))
}
