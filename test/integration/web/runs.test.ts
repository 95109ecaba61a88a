import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { JobEnvelope } from '../../../src/core/job-envelope.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { type TestWeb, testWeb } from '../../support/web-app.ts'

let server: MatchServer
let web: TestWeb
beforeAll(async () => {
  server = await startMatchServer()
  const { bench } = server
  web = testWeb(bench.db, { client: bench.client, taskQueue: bench.taskQueue })
})
afterAll(() => server.close())
beforeEach(() => server.service.respond(answerByName))

const records = Array.from({ length: 40 }, (_, index) => ({
  id: `r${index}`,
  name: `Name ${index}`,
}))
const mapping = { mapping: { name: 'name', variants: [], properties: [] } }
const newProject = () => createTestProject(server.bench.db, server.ownAddress(), records, mapping)

/** Answers what the service is, and nothing else. */
function hang(): void {
  server.service.respond((request) =>
    request.queries === null ? manifestAnswer(request) : { hang: 'before_headers' },
  )
}
const status = async (at: string) => (await web.json<{ status: string }>(at)).status
const untilStatus = (at: string, wanted: string) =>
  vi.waitFor(async () => expect(await status(at)).toBe(wanted), { timeout: 90_000, interval: 200 })

interface Tasks {
  readonly tasks: readonly { readonly job: JobEnvelope }[]
}

/** The events of a stream, to its end. */
async function eventsOf(
  answer: Response,
): Promise<{ event: string; data: Record<string, unknown> }[]> {
  const text = await answer.text()
  return text
    .split('\n\n')
    .filter((part) => part.startsWith('event:'))
    .map((part) => {
      const [event = '', data = ''] = part.split('\n')
      return { event: event.slice(7), data: JSON.parse(data.slice(6)) }
    })
}

it('answers a start at once with where the run is, and the same key with the same run', async () => {
  const { id } = await newProject()
  const key = { 'Idempotency-Key': 'monday' }
  const started = await web.post(`/projects/${id}/match`, {}, key)
  const at = started.headers.get('Location') ?? ''
  expect([started.status, await started.json()]).toMatchObject([
    202,
    { project: id, status: 'started' },
  ])
  await untilStatus(at, 'completed')

  const again = await web.post(`/projects/${id}/match`, {}, key)
  expect([again.status, again.headers.get('Location')]).toEqual([202, at])
  const other = await web.post(`/projects/${id}/match`, { limit: 3 }, key)
  expect([other.status, await other.json()]).toMatchObject([
    422,
    { code: 'idempotency_key_reused' },
  ])
  const nothing = await web.post(`/projects/${id}/match`)
  expect([nothing.status, await nothing.json()]).toMatchObject([200, { status: 'nothing_due' }])
  expect((await web.json(`/projects/${id}/runs`))['runs']).toMatchObject([
    { run: 1, status: 'completed' },
  ])
})

it('follows a run by events to its end, and shows its tasks in their envelopes', async () => {
  const { id } = await newProject()
  const started = await web.post(`/projects/${id}/match`)
  const at = started.headers.get('Location') ?? ''
  const events = await eventsOf(await web.ask(`${at}/events`))
  expect(events.at(-1)).toMatchObject({
    event: 'end',
    data: { status: 'completed', records: 40, finished: 40, waiting: null },
  })
  expect(events.slice(0, -1).every(({ event }) => event === 'progress')).toBe(true)

  const first = await web.json<Tasks>(`${at}/tasks?limit=1`)
  expect(first.tasks).toHaveLength(1)
  const job = first.tasks[0]?.job
  expect(job?.header).toMatchObject({
    type: 'entity.match',
    version: '1.0',
    attempt: 1,
    max_attempts: 3,
  })
  expect(job?.body).toMatchObject({ project_id: id, task_id: 1 })
  expect(job?.tracing.trace_id).toBe(at.split('/').at(-1)?.replaceAll('-', ''))
  const all = await web.json<Tasks>(`${at}/tasks`)
  const entries = all.tasks.flatMap((task) => task.job.body.dataset_entry_ids)
  expect(new Set(entries).size).toBe(40)
})

it('joins the run that is open, refuses other options, and pauses, resumes and cancels it', async () => {
  const { id } = await newProject()
  hang()
  const started = await web.post(`/projects/${id}/match`)
  const at = started.headers.get('Location') ?? ''
  const joined = await web.post(`/projects/${id}/match`)
  expect([joined.status, joined.headers.get('Location'), await joined.json()]).toMatchObject([
    202,
    at,
    { status: 'joined' },
  ])
  const other = await web.post(`/projects/${id}/match`, { limit: 3 })
  expect([other.status, await other.json()]).toMatchObject([409, { code: 'other_run_open' }])

  await untilStatus(at, 'running')
  expect(await (await web.post(`/projects/${id}/pause`)).json()).toMatchObject({
    status: 'paused',
    reason: 'by user',
  })
  expect(await (await web.post(`/projects/${id}/resume`)).json()).toMatchObject({
    status: 'running',
  })
  const cancelled = await web.post(`/projects/${id}/cancel`)
  expect([cancelled.status, cancelled.headers.get('Location')]).toEqual([
    202,
    `/projects/${id}/runs/1`,
  ])
  await untilStatus(at, 'cancelled')
  const late = await web.post(`/projects/${id}/pause`)
  expect([late.status, await late.json()]).toMatchObject([409, { code: 'no_open_run' }])
})

it('tells of a project or run that is not there, and of a server that is away', async () => {
  const { id } = await newProject()
  const missing = await web.post('/projects/999999999/match')
  expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'unknown_project' }])
  expect(await web.json(`/projects/${id}/runs/1`, 404)).toMatchObject({ code: 'unknown_run' })
  const away = testWeb(server.bench.db)
  const answer = await away.post(`/projects/${id}/match`)
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { code: 'temporal_unreachable' },
  ])
  expect(answer.headers.get('Retry-After')).toBe('5')
  expect((await away.json('/projects'))['projects']).not.toEqual([])
})
