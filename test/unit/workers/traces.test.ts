import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inSpan } from '../../../src/activities/traces/span-now.ts'
import { requestSpan } from '../../../src/activities/traces/request-span.ts'
import { noTracer } from '../../../src/activities/traces/tracer.ts'
import { UsageError } from '../../../src/errors.ts'
import { waitFailure } from '../../../src/activities/to-failure.ts'
import { openTraces } from '../../../src/workers/traces/open-traces.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../../support/otlp-receiver.ts'

const said: string[] = []
const log = {
  info: (...words: readonly unknown[]) => void said.push(JSON.stringify(words)),
  warn: (...words: readonly unknown[]) => void said.push(JSON.stringify(words)),
}
const place = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

let receiver: OtlpReceiver
beforeEach(async () => {
  said.length = 0
  receiver = await startOtlpReceiver()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer s3cret')
  // Short, so that what is not taken is given up while a test looks on.
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '300')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await receiver.close()
})

function open(endpoint: string | undefined = receiver.url, flushMs = 60_000) {
  return openTraces({ endpoint, worker: '1@here', version: '1.2.3', log, flushMs })
}

it('spans come with the ids that they were given, under each other, and with the facts told of them', async () => {
  vi.stubEnv('OTEL_SERVICE_NAME', 'records-of-ours')
  const { tracer, close } = await open()
  const attributes = { project: 7, name_of_list: null, isOn: true }
  const root = tracer.root({ name: 'task', place, attributes, startMs: 1_700_000_000_000 })
  const under = tracer.under(place, 'ask', { attempt: 2 })
  requestSpan(under, {
    host: 'service.example',
    method: 'POST',
    status: 503,
    latencyMs: 250,
    code: 'server_error',
  })
  under.end()
  root.end()
  await close()

  const [task] = receiver.spans('task')
  const [ask] = receiver.spans('ask')
  const [request] = receiver.spans('http.request')
  expect(task).toMatchObject({ ...place, status: { code: 0 }, startNs: 1_700_000_000_000_000_000n })
  expect(task?.parentSpanId).toBeUndefined()
  expect(task?.attributes).toEqual({ project: 7, isOn: true })
  expect(ask).toMatchObject({ traceId: place.traceId, parentSpanId: place.spanId })
  expect(ask?.spanId).not.toBe(place.spanId)
  expect(request).toMatchObject({
    traceId: place.traceId,
    parentSpanId: ask?.spanId,
    kind: 3,
    status: { code: 2, message: 'server_error' },
    attributes: {
      host: 'service.example',
      'http.request.method': 'POST',
      'http.response.status_code': 503,
      'error.type': 'server_error',
    },
  })
  expect(Number((request?.endNs ?? 0n) - (request?.startNs ?? 0n)) / 1e6).toBeGreaterThanOrEqual(
    249,
  )
  expect(receiver.resources()[0]).toEqual({
    'service.name': 'records-of-ours',
    'service.version': '1.2.3',
    'service.instance.id': '1@here',
  })
  expect(receiver.headers()[0]).toMatchObject({ authorization: 'Bearer s3cret' })
  expect(said).toEqual([])
})

it('a failure is an error with its code, a wait says what for, and both are thrown on', async () => {
  const { tracer, close } = await open()
  const begin = (name: string) =>
    tracer.root({ name, place: { traceId: place.traceId }, attributes: {} })
  const wrong = new UsageError({ code: 'bad_thing', message: 'Of "a cell".' })
  const later = waitFailure('retry_later', 'Of "a cell".', 10)
  const broken = new Error('Of "a cell".')
  for (const [name, error] of Object.entries({ wrong, later, broken })) {
    await expect(inSpan(begin(name), () => Promise.reject(error))).rejects.toBe(error)
  }
  const failed = () =>
    inSpan(begin('failed'), (span) => {
      span.fail('server_error')
      return Promise.reject(later)
    })
  await expect(failed()).rejects.toBe(later)
  await close()
  expect(
    receiver.spans().map(({ name, status, attributes }) => [name, status, attributes]),
  ).toEqual([
    ['wrong', { code: 2, message: 'bad_thing' }, { 'error.type': 'bad_thing' }],
    ['later', { code: 0 }, { waits_for: 'retry_later' }],
    ['broken', { code: 2, message: 'internal_error' }, { 'error.type': 'internal_error' }],
    ['failed', { code: 2, message: 'server_error' }, { 'error.type': 'server_error' }],
  ])
  expect(receiver.text()).not.toContain('a cell')
})

it('a receiver that refuses is said once, without the secret, and again when it takes them', async () => {
  const { tracer, close } = await open()
  const send = () => {
    // A full batch leaves at once.
    for (let n = 0; n < 512; n++) tracer.root({ name: 'one', place, attributes: {} }).end()
  }
  receiver.answerWith(401)
  send()
  await vi.waitFor(() => expect(said).toHaveLength(1), { timeout: 60_000 })
  send()
  await vi.waitFor(() => expect(receiver.headers()).toHaveLength(2), { timeout: 60_000 })
  receiver.answerWith(200)
  send()
  await vi.waitFor(() => expect(said).toHaveLength(2), { timeout: 60_000 })
  await close()
  const host = new URL(receiver.url).host
  expect(said[0]).toContain(`not taken by ${host} (HTTP 401)`)
  expect(said[1]).toContain(`taken by ${host} again`)
  expect(said.join()).not.toContain('s3cret')
})

it.each([
  ['nobody is there', async () => receiver.close()],
  ['who is there never answers', async () => receiver.answerWith('silence')],
])('where %s, work goes on, and the end comes', async (_, spoil) => {
  await spoil()
  const { tracer, close } = await open(receiver.url, 50)
  for (let n = 0; n < 10_000; n++) {
    const answer = await inSpan(tracer.root({ name: 'one', place, attributes: {} }), async () => n)
    expect(answer).toBe(n)
  }
  await close()
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('work goes on')
})

it('without an address there is no tracer', async () => {
  const { tracer, close } = await openTraces({ endpoint: undefined, worker: '', version: '', log })
  expect(tracer).toBe(noTracer)
  await close()
  expect(receiver.headers()).toEqual([])
})
