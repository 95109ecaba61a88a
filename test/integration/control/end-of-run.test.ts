/** `--on-end` and `--webhook`: what they are told, what their trouble means, and that they happen once. */
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EndAction } from '../../../src/core/end-action.ts'
import { endOfRunId } from '../../../src/core/workflow-ids.ts'
import { endActionsOf, keepEndAction } from '../../../src/db/end-actions.repo.ts'
import { latestRun, type Run } from '../../../src/db/runs.repo.ts'
import {
  answerByName,
  type FakeService,
  manifestAnswer,
  startFakeService,
} from '../../support/fake-reconciliation-service.ts'
import { startMatchBench } from '../../support/match-bench.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { workflowTexts } from '../../support/workflow-texts.ts'

let server: MatchServer
let receiver: FakeService
let folder: string
beforeAll(async () => {
  // Delays of retries are then half as long.
  server = await startMatchServer({ runsCommands: true, random: () => 0 })
  folder = mkdtempSync(join(tmpdir(), 'record-linker-end-'))
})
beforeEach(async () => {
  server.service.respond(answerByName)
  receiver = await startFakeService()
  receiver.respond({ status: 204 })
})
afterEach(() => receiver.close())
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const records = [
  { id: 'r0', name: 'Berlin' },
  { id: 'r1', name: 'Paris' },
]
const mapping = { name: 'name', variants: [], properties: [] }
const posts = () => receiver.requests.filter(({ method }) => method === 'POST')

interface Ended {
  readonly run: Run
  readonly states: Awaited<ReturnType<typeof endActionsOf>>
  readonly result: unknown
}

async function afterRun(
  action: Partial<EndAction>,
  { cancel = false, bench = server.bench } = {},
): Promise<Ended> {
  const { db } = server.bench
  const project = await createTestProject(db, server.ownAddress(), records, { mapping })
  const endActionId = await keepEndAction(db, project.id, {
    command: null,
    webhook: null,
    ...action,
  })
  const begin = server.service.requests.length
  const handle = await bench.start(project.id, { options: { endActionId } })
  if (cancel) {
    await server.service.until(() =>
      server.service.requests.slice(begin).some(({ queries }) => queries !== null),
    )
    await handle.cancel()
  }
  await handle.result().catch(() => undefined)
  const result: unknown = await bench.client.workflow.getHandle(endOfRunId(project.id, 1)).result()
  const run = await latestRun(db, project.id)
  if (run === undefined) throw new Error('The run is gone.')
  return { run, states: await endActionsOf(db, run.id), result }
}
const shell = (line: string) => ({ command: { line, folder } })
const written = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('a command at the end of a run', () => {
  it('gets the report on stdin, and project, run and status in its environment', async () => {
    const { run, states, result } = await afterRun(
      shell(
        'cat > report.json; echo "$RECORD_LINKER_PROJECT $RECORD_LINKER_RUN $RECORD_LINKER_STATUS" > env.txt',
      ),
    )
    expect(result).toEqual({ command: 'done' })
    expect(states).toMatchObject([{ kind: 'command', status: 'done', attempts: 1 }])
    expect(JSON.parse(written('report.json'))).toMatchObject({
      project: run.projectId,
      run: run.temporalRunId,
      status: 'completed',
      entries: { total: 2, completed: 2, failed: 0, cancelled: 0 },
      outcomes: { matched: 2, review: 0, no_candidate: 0, skipped: 0 },
    })
    expect(written('env.txt')).toBe(`${run.projectId} 1 completed\n`)
  })

  it('is not given the secrets for services', async () => {
    process.env['RECORD_LINKER_CREDENTIALS'] = '{"example.org":"hush"}'
    process.env['RECORD_LINKER_WIKIDATA_TOKEN'] = 'hush too'
    process.env['OTEL_EXPORTER_OTLP_HEADERS'] = 'key=hush as well'
    try {
      await afterRun(shell('env > all.txt'))
    } finally {
      delete process.env['RECORD_LINKER_CREDENTIALS']
      delete process.env['RECORD_LINKER_WIKIDATA_TOKEN']
      delete process.env['OTEL_EXPORTER_OTLP_HEADERS']
    }
    expect(written('all.txt')).not.toContain('hush')
  })

  it('that fails is not repeated; the run stays completed and the trouble is kept', async () => {
    const { run, states } = await afterRun(shell('echo x >> tries.txt; echo no disk >&2; exit 7'))
    expect(run.status).toBe('completed')
    expect(written('tries.txt')).toBe('x\n')
    expect(states).toMatchObject([
      {
        status: 'failed',
        code: 'command_failed',
        message: 'It ended with code 7. It said: no disk',
      },
    ])
  })

  it('that never ends is ended, with what it started', async () => {
    const hasty = await startMatchBench({ ...server.options, commandTimeoutMs: 1_000 })
    try {
      const line = '(sleep 20; echo late > late.txt) & sleep 20'
      const { states } = await afterRun(shell(line), { bench: hasty })
      expect(states).toMatchObject([{ status: 'failed', code: 'command_timed_out' }])
      expect(existsSync(join(folder, 'late.txt'))).toBe(false)
    } finally {
      await hasty.stop()
    }
  })

  it('in a folder that is not there cannot be started, and says so', async () => {
    const gone = join(folder, 'gone')
    const { states } = await afterRun({ command: { line: 'true', folder: gone } })
    expect(states).toMatchObject([{ status: 'failed', code: 'command_not_started' }])
  })

  it('runs after a cancelled run too', async () => {
    server.service.respond((request) =>
      request.queries === null ? manifestAnswer(request) : { hang: 'before_headers' },
    )
    const { run } = await afterRun(shell('cat > cancelled.json'), { cancel: true })
    expect(run.status).toBe('cancelled')
    expect(JSON.parse(written('cancelled.json'))).toMatchObject({
      status: 'cancelled',
      entries: { cancelled: 2 },
    })
  })

  it('is not run by a worker that was not told to run commands', async () => {
    const other = await startMatchBench({ ...server.options, runsCommands: false })
    try {
      const { states } = await afterRun(shell('echo x > never.txt'), { bench: other })
      expect(states).toMatchObject([{ status: 'failed', code: 'commands_off' }])
      expect(existsSync(join(folder, 'never.txt'))).toBe(false)
    } finally {
      await other.stop()
    }
  })

  it('that its worker did not survive three times is left alone', async () => {
    const { db } = server.bench
    let begun = false
    server.service.respond(async (request) => {
      const run = await db.selectFrom('run').where('status', '=', 'open').select('id').execute()
      if (!begun) {
        const row = {
          run_id: run[0]?.id ?? 0,
          kind: 'command',
          status: 'started',
          attempts: 3,
        } as const
        await db.insertInto('run_end_action').values(row).execute()
      }
      begun = true
      return answerByName(request)
    })
    const { states } = await afterRun(shell('echo x > fourth.txt'))
    expect(states).toMatchObject([{ status: 'failed', code: 'command_interrupted' }])
    expect(existsSync(join(folder, 'fourth.txt'))).toBe(false)
  })

  it('is ended when its workflow is cancelled, and is over then', async () => {
    const { db, client } = server.bench
    const project = await createTestProject(db, server.ownAddress(), records, { mapping })
    const action = {
      ...shell('echo x > begun.txt; sleep 30; echo x > survived.txt'),
      webhook: null,
    }
    const endActionId = await keepEndAction(db, project.id, action)
    await (await server.bench.start(project.id, { options: { endActionId } })).result()
    await vi.waitFor(() => expect(existsSync(join(folder, 'begun.txt'))).toBe(true), 20_000)
    const handle = client.workflow.getHandle(endOfRunId(project.id, 1))
    await handle.cancel()
    await handle.result().catch(() => undefined)
    const run = await latestRun(db, project.id)
    expect(run?.status).toBe('completed')
    expect(await endActionsOf(db, run?.id ?? 0)).toMatchObject([
      { status: 'failed', code: 'cancelled' },
    ])
    expect(existsSync(join(folder, 'survived.txt'))).toBe(false)
  })

  it('stands in no history, nor does a webhook', async () => {
    const { run } = await afterRun({
      ...shell(': SECRET-IN-A-COMMAND'),
      webhook: `${receiver.url}/SECRET-IN-AN-ADDRESS`,
    })
    const { ids, text } = await workflowTexts(server.bench.client, `match-project/${run.projectId}`)
    expect(ids).toContain(endOfRunId(run.projectId, 1))
    expect(text).toContain('endActionId')
    expect(text).not.toContain('SECRET')
  })
})

describe('a webhook at the end of a run', () => {
  it('gets the report as JSON, with a permit of its domain and a key to tell a repeat', async () => {
    const { run, states } = await afterRun({ webhook: `${receiver.url}/done` })
    expect(states).toMatchObject([{ kind: 'webhook', status: 'done' }])
    const [post, ...more] = posts()
    expect(more).toEqual([])
    expect(post?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': `${run.temporalRunId}-end`,
    })
    expect(JSON.parse(post?.body ?? '')).toMatchObject({
      project: run.projectId,
      status: 'completed',
      outcomes: { matched: 2 },
    })
    const limiter = server.bench.client.workflow.getHandle(`limiter/${receiver.domain}`)
    expect((await limiter.describe()).status.name).toBe('RUNNING')
  })

  it('is content with any answer of 200, a page too', async () => {
    receiver.respond({ headers: { 'content-type': 'text/html' }, body: '<html>ok</html>' })
    expect((await afterRun({ webhook: receiver.url })).result).toEqual({ webhook: 'done' })
    expect(posts()).toHaveLength(1)
  })

  it('that is away is tried again; the command before it is not', async () => {
    receiver.respondOnce({ status: 503, json: {} })
    const action = { ...shell('echo x >> once.txt'), webhook: receiver.url }
    const { states } = await afterRun(action)
    expect(states).toMatchObject([
      { kind: 'command', status: 'done', attempts: 1 },
      { kind: 'webhook', status: 'done', attempts: 2 },
    ])
    expect(written('once.txt')).toBe('x\n')
    expect(posts()).toHaveLength(2)
  })

  it('that is refused is not tried again, and the run stays completed', async () => {
    receiver.respond({ status: 404, json: {} })
    const { run, states } = await afterRun({ webhook: receiver.url })
    expect(run.status).toBe('completed')
    expect(states).toMatchObject([
      {
        status: 'failed',
        code: 'not_found',
        message: 'The address answered 404 (not_found); expected 200 to 299.',
      },
    ])
    expect(posts()).toHaveLength(1)
  })
})
