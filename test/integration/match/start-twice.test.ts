import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMatch, type StartRequest } from '../../../src/client/match/start-match.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
})
afterAll(() => server.close())

const records = ['Amsterdam', 'Berlin', 'Paris'].map((name, index) => ({ id: `r${index}`, name }))
const mapping = { name: 'name', variants: [], properties: [] }

const sizeOf = (data: Uint8Array | null | undefined) => data?.byteLength ?? NaN

async function projectRequest(): Promise<StartRequest> {
  const { bench } = server
  const project = await createTestProject(bench.db, server.ownAddress(), records, { mapping })
  return {
    projectId: project.id,
    projectName: 'twice',
    settingsRevision: 1,
    options: defaultRunOptions,
    taskQueue: bench.taskQueue,
  }
}

/** A project all of whose records have failed; whatever is asked next gets no answer. */
async function refusedRequest() {
  const { bench, service } = server
  const request = await projectRequest()
  service.respond((asked) =>
    asked.queries === null ? manifestAnswer(asked) : { status: 400, json: {} },
  )
  await (await startMatch(bench.client, request)).handle.result()
  service.respond((asked) =>
    asked.queries === null ? manifestAnswer(asked) : { hang: 'before_headers' },
  )
  return request
}

describe('two starts of one project', () => {
  it('of hundreds of named records say which only once in the first event', async () => {
    const { bench } = server
    const request = await projectRequest()
    const subjectIds = Array.from({ length: 500 }, (_, n) => 1_000_000 + n)
    const named = (ids: readonly number[]) => ({
      ...request,
      options: { ...defaultRunOptions, failed: { codes: null, subjectIds: ids } },
    })
    const { handle } = await startMatch(bench.client, named(subjectIds))
    const { events } = await handle.fetchHistory()
    await handle.result()
    const begun = events?.[0]?.workflowExecutionStartedEventAttributes
    expect(sizeOf(begun?.memo?.fields?.['identity']?.data)).toBeLessThan(1_000)
    expect(sizeOf(begun?.input?.payloads?.[0]?.data)).toBeLessThan(5_000)
  })

  it('with equal options are one run', async () => {
    const { bench } = server
    const request = await projectRequest()
    const starts = await Promise.all([
      startMatch(bench.client, request),
      startMatch(bench.client, request),
    ])
    expect(new Set(starts.map((start) => start.temporalRunId)).size).toBe(1)
    expect(starts.filter((start) => start.attached)).toHaveLength(1)
    await Promise.all(starts.map((start) => start.handle.result()))
    const runs = await bench.db
      .selectFrom('run')
      .where('project_id', '=', request.projectId)
      .selectAll()
      .execute()
    expect(runs).toHaveLength(1)
  })

  it('with other options are refused, and both are shown', async () => {
    const { bench, service } = server
    const request = await projectRequest()
    service.respond((asked) =>
      asked.queries === null ? manifestAnswer(asked) : { hang: 'before_headers' },
    )
    const { handle } = await startMatch(bench.client, request)
    const other = { ...request, options: { ...defaultRunOptions, maxAttempts: 7 } }
    await expect(startMatch(bench.client, other)).rejects.toMatchObject({
      code: 'other_run_open',
      message: expect.stringMatching(/running: .*3 attempts[^]*asked: .*7 attempts/) as string,
    })
    await handle.cancel()
    await handle.result().catch(() => undefined)
    service.respond(answerByName)
  })

  it('with another age of the answers to renew are refused, and both are shown', async () => {
    const { bench, service } = server
    const request = await projectRequest()
    service.respond((asked) =>
      asked.queries === null ? manifestAnswer(asked) : { hang: 'before_headers' },
    )
    const older = (refreshOlderThanMs: number) => ({
      ...request,
      options: { ...defaultRunOptions, refreshOlderThanMs },
    })
    const { handle } = await startMatch(bench.client, older(30 * 86_400_000))
    expect(await startMatch(bench.client, older(720 * 3_600_000))).toMatchObject({ attached: true })
    await expect(startMatch(bench.client, request)).rejects.toMatchObject({
      code: 'other_run_open',
      message: expect.stringMatching(
        /running: .*refreshes answers older than 30d\n.*asked: (?!.*refresh)/,
      ) as string,
    })
    await handle.cancel()
    await handle.result().catch(() => undefined)
    service.respond(answerByName)
  })

  it('that differ in what is done at the end: who says nothing of it joins, who wants another is refused', async () => {
    const { bench, service } = server
    const request = await projectRequest()
    service.respond((asked) =>
      asked.queries === null ? manifestAnswer(asked) : { hang: 'before_headers' },
    )
    const ending = (endActionId: number | null) => ({
      ...request,
      options: { ...defaultRunOptions, endActionId },
    })
    const { handle } = await startMatch(bench.client, ending(7))
    expect(await startMatch(bench.client, ending(7))).toMatchObject({ attached: true })
    expect(await startMatch(bench.client, ending(null))).toMatchObject({ attached: true })
    await expect(startMatch(bench.client, ending(8))).rejects.toMatchObject({
      code: 'other_run_open',
      message: expect.stringMatching(/running: .*action 7[^]*asked: .*action 8/) as string,
    })
    await handle.cancel()
    await handle.result().catch(() => undefined)
    service.respond(answerByName)
  })

  it('that retry some of the failed are equal only for the same ones', async () => {
    const { bench, service } = server
    const request = await refusedRequest()
    const retry = (code: string) => ({
      ...request,
      options: {
        ...defaultRunOptions,
        retryFailed: true,
        failed: { codes: [code], subjectIds: null },
      },
    })
    const { handle } = await startMatch(bench.client, retry('bad_request'))
    expect(await startMatch(bench.client, retry('bad_request'))).toMatchObject({ attached: true })
    await expect(startMatch(bench.client, retry('poison'))).rejects.toMatchObject({
      code: 'other_run_open',
      message: expect.stringMatching(/running: .*with bad_request[^]*asked: .*poison/) as string,
    })
    await handle.cancel()
    await handle.result().catch(() => undefined)
    service.respond(answerByName)
  })

  it('that retry named records are equal only for the same ones', async () => {
    const { bench, service } = server
    const request = await refusedRequest()
    const subjects = await bench.db
      .selectFrom('subject')
      .where('project_id', '=', request.projectId)
      .orderBy('id')
      .select('id')
      .execute()
    const [first = 0, second = 0, third = 0] = subjects.map(({ id }) => id)
    const retry = (...subjectIds: readonly number[]) => ({
      ...request,
      options: { ...defaultRunOptions, retryFailed: true, failed: { codes: null, subjectIds } },
    })
    const { handle } = await startMatch(bench.client, retry(first, second))
    expect(await startMatch(bench.client, retry(first, second))).toMatchObject({ attached: true })
    for (const other of [retry(first, third), retry(first, second, third)]) {
      await expect(startMatch(bench.client, other)).rejects.toMatchObject({
        code: 'other_run_open',
        message: expect.stringMatching(/running: .*2 named[^]*asked: .*[23] named/) as string,
      })
    }
    await handle.cancel()
    await handle.result().catch(() => undefined)
    service.respond(answerByName)
  })

  it('case 17: retry-failed pressed twice asks each failed record once', async () => {
    const { bench, service } = server
    const request = await projectRequest()
    service.respond((asked) =>
      asked.queries === null ? manifestAnswer(asked) : { status: 400, json: {} },
    )
    const first = await startMatch(bench.client, request)
    await first.handle.result()
    expect((await countProject(bench.db, request.projectId)).failed).toBe(3)

    service.respond(answerByName)
    const before = service.requests.length
    const retry = { ...request, options: { ...defaultRunOptions, retryFailed: true } }
    const pressed = await Promise.all([
      startMatch(bench.client, retry),
      startMatch(bench.client, retry),
    ])
    await Promise.all(pressed.map((start) => start.handle.result()))
    const asked = service.requests
      .slice(before)
      .flatMap((sent) => Object.values(sent.queries ?? {}))
      .map(({ query }) => query)
    expect(asked.toSorted()).toEqual(['Amsterdam', 'Berlin', 'Paris'])
    expect((await countProject(bench.db, request.projectId)).matched).toBe(3)
  })

  it('case 18: the counts are right at once after the last task, without visibility', async () => {
    const { bench } = server
    const request = await projectRequest()
    const { handle } = await startMatch(bench.client, request)
    await handle.result()
    expect(await countProject(bench.db, request.projectId)).toMatchObject({
      total: 3,
      completed: 3,
      queued: 0,
    })
  })
})
