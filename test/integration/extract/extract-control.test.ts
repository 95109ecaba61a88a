import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reconciledExtraction } from '../../../src/client/extract/reconcile-extraction.ts'
import type { ExtractSourceInput } from '../../../src/core/extract/extract-run.ts'
import { PAUSED_BY_USER } from '../../../src/core/run-progress.ts'
import { extractId } from '../../../src/core/workflow-ids.ts'
import { createExtractRun, type ExtractRun } from '../../../src/db/extract-runs.repo.ts'
import type { extractSource } from '../../../src/workflows/extract-source.ts'
import { pauseSignal, resumeSignal } from '../../../src/workflows/messages.ts'
import { countedItems, type FakeSource, startFakeSource } from '../../support/fake-source.ts'
import { holdListsFrom } from '../../support/held-lists.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import {
  begin,
  extract,
  newDataset,
  presentIds,
  reportOf,
  resume,
  wantedRun,
} from './extraction.ts'

/** The ports are known only once the servers are there. */
const credentials: Record<string, string> = {}
let server: MatchServer
let source: FakeSource
beforeAll(async () => {
  server = await startMatchServer({ random: () => 0, credentials })
})
afterAll(() => server.close())
beforeEach(async () => {
  source = await startFakeSource({ items: countedItems(95) })
  return () => source.close()
})

const config = { batchSize: 10, workers: 3 }
const LAST = 'offset=90&limit=10'

async function until(runId: number, seen: (run: ExtractRun) => boolean): Promise<ExtractRun> {
  const { client, db } = server.bench
  for (;;) {
    const run = await reconciledExtraction(client, db, runId)
    if (seen(run)) return run
    await sleep(50)
  }
}

const timesAsked = () => {
  const times = new Map<string, number>()
  for (const query of source.listRequests()) times.set(query, (times.get(query) ?? 0) + 1)
  return times
}

describe('an extraction', () => {
  it('that is cancelled asks nothing more, lands nothing, and goes on where it was when it is resumed', async () => {
    const dataset = newDataset()
    const held = holdListsFrom(source, 6)
    const { runId, handle } = await begin(
      server,
      wantedRun({ profile: source.profile('offset'), dataset, config }),
    )
    await source.service.until(() => source.listRequests().length >= 6)
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow('cancelled')
    const cancelled = await reportOf(server, runId)
    expect(cancelled.run.status).toBe('cancelled')
    expect(await presentIds(server, dataset)).toEqual([])
    const stored = cancelled.report.types[0]?.pages ?? 0
    expect(stored).toBeGreaterThanOrEqual(3)
    const asked = source.listRequests().length
    held.letGo()
    expect(asked - stored).toBeLessThanOrEqual(3)

    await resume(server, runId, { workers: 1 })
    const { run, report } = await reportOf(server, runId)
    expect([run.status, run.options.config.workers]).toEqual(['completed', 1])
    expect(report.types).toMatchObject([{ rows: 95, items: 95, state: 'complete' }])
    expect(await presentIds(server, dataset)).toHaveLength(95)
    // What was on its way is asked again, nothing else.
    expect([...timesAsked().values()].filter((times) => times > 1).length).toBeLessThanOrEqual(3)
    expect(source.listRequests().at(-1)).toBe(LAST)
  })

  it('that is paused asks nothing until it is resumed', async () => {
    const dataset = newDataset()
    const held = holdListsFrom(source, 4)
    const { runId, handle } = await begin(
      server,
      wantedRun({ profile: source.profile('offset'), dataset, config }),
    )
    // All three workers have a page on its way.
    await source.service.until(() => source.listRequests().length >= 6)
    await handle.signal(pauseSignal, { reason: PAUSED_BY_USER })
    await until(runId, ({ pausedReason }) => pausedReason !== null)
    const before = source.listRequests().length
    held.letGo()
    await sleep(1_000)
    expect(source.listRequests()).toHaveLength(before)
    await handle.signal(resumeSignal)
    expect(await handle.result()).toEqual({ status: 'completed' })
    expect(await presentIds(server, dataset)).toHaveLength(95)
    // What was on its way when it was paused may come again, what had come does not.
    const come = source.listRequests().slice(0, 3)
    expect(come.map((query) => timesAsked().get(query))).toEqual([1, 1, 1])
  })

  it('that is terminated loses nothing, and is resumed', async () => {
    const dataset = newDataset()
    const held = holdListsFrom(source, 5)
    const { runId, handle } = await begin(
      server,
      wantedRun({ profile: source.profile('cursor'), dataset, config }),
    )
    await source.service.until(() => source.listRequests().length >= 5)
    await handle.terminate()
    expect((await until(runId, ({ status }) => status !== 'open')).status).toBe('terminated')
    held.letGo()
    await resume(server, runId)
    expect((await reportOf(server, runId)).report.types).toMatchObject([{ items: 95, rows: 95 }])
    const twice = [...timesAsked()].filter(([, times]) => times > 1)
    expect(twice.length).toBeLessThanOrEqual(1)
  })

  it('continues as new in the middle of its pages, and asks none again', async () => {
    const { client, db, taskQueue } = server.bench
    for (const kind of ['offset', 'link'] as const) {
      const wanted = wantedRun({ profile: source.profile(kind), config })
      const runId = await createExtractRun(db, wanted)
      if (runId === undefined) throw new Error('another run is open')
      const input: ExtractSourceInput = { runId, pagesPerExecution: 4 }
      await client.workflow.execute<typeof extractSource>('extractSource', {
        workflowId: extractId(runId),
        taskQueue,
        args: [input],
      })
      expect(await presentIds(server, wanted.dataset)).toHaveLength(95)
    }
    expect([...timesAsked().values()].every((times) => times === 1)).toBe(true)
  })

  it('is joined by an equal start, and refuses another one of the same source', async () => {
    const held = holdListsFrom(source, 2)
    const wanted = wantedRun({ profile: source.profile('offset'), config })
    const { runId, handle } = await begin(server, wanted)
    await source.service.until(() => source.listRequests().length >= 2)
    expect(await begin(server, wanted)).toMatchObject({ runId, attached: true })
    await expect(begin(server, { ...wanted, dataset: newDataset() })).rejects.toMatchObject({
      code: 'other_run_open',
    })
    held.letGo()
    await handle.result()
    expect(await begin(server, wanted)).toMatchObject({ attached: false })
  })

  it('of several types makes a dataset of each; one that cannot be read stops no other', async () => {
    const dataset = newDataset()
    const one = source.profile('offset')
    const [type] = one.types
    if (type === undefined) throw new Error('a profile without types')
    const profile = {
      ...one,
      types: [
        { ...type, name: 'gone', path: '/list/nowhere' },
        { ...type, name: 'numbered' },
        ...source.profile('cursor').types.map((other) => ({ ...other, name: 'chained' })),
      ],
    }
    const { run, report } = await extract(server, { profile, dataset, config })
    expect(run.status).toBe('completed_with_errors')
    expect(report.types).toMatchObject([
      { type: 'gone', state: 'failed', code: 'not_found', errors: 1 },
      { type: 'numbered', state: 'complete', dataset: `${dataset}-numbered`, items: 95 },
      { type: 'chained', state: 'complete', dataset: `${dataset}-chained`, items: 95 },
    ])
    expect(await presentIds(server, `${dataset}-chained`)).toHaveLength(95)
  })
})

describe('a source that answers nobody for longer than --give-up-after', () => {
  it('fails what is asked of it, and a resume goes on when it is back', async () => {
    source.api.items = countedItems(25)
    const dataset = newDataset()
    const profile = source.profile('offset', { detail: { path: '/items/{id}' } })
    source.api.instead = async ({ pathname }) => {
      if (pathname === '/items/i0003') setImmediate(() => void source.service.stop())
      return undefined
    }
    const { run, report } = await extract(server, {
      profile,
      dataset,
      config: { batchSize: 10 },
      giveUpAfterMs: 0,
    })
    expect(run.status).toBe('completed_with_errors')
    const [type] = report.types
    // The page that was read stays; the details of its other items, and the three next pages, could not be had.
    expect(type).toMatchObject({ state: 'incomplete', code: 'pages_failed', items: 10 })
    const errors = await server.bench.db
      .selectFrom('extract_error')
      .where('run_id', '=', run.id)
      .select(['code', 'item_id as item'])
      .execute()
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['domain_unavailable']))
    expect(errors.filter(({ item }) => item === null)).toHaveLength(3)
    expect(errors.filter(({ item }) => item !== null).length).toBe(10 - (type?.details ?? 0))

    source.api.instead = () => undefined
    await source.service.restart()
    await resume(server, run.id)
    const { report: whole } = await reportOf(server, run.id)
    expect(whole).toMatchObject({ status: 'completed', errors: 0, types: [{ details: 25 }] })
    expect(await presentIds(server, dataset)).toHaveLength(25)
  })
})

describe('a source that wants to know who asks', () => {
  const login = {
    kind: 'login',
    path: '/login',
    idField: 'client_id',
    secretField: 'client_secret',
    tokenPath: 'access_token',
    expiresInPath: 'expires_in',
    scheme: 'token',
  } as const

  it('case 23: gets a token; one that is refused is renewed once for all workers', async () => {
    credentials[source.service.domain] = 'me:secret'
    let logins = 0
    let valid = ''
    source.api.instead = (url, request) => {
      if (url.pathname === '/login') {
        if (request.body !== 'client_id=me&client_secret=secret') return { status: 403, json: {} }
        logins += 1
        valid = `t${logins}`
        return { json: { access_token: valid, expires_in: 3600 } }
      }
      // The first token dies in the middle of the run.
      if (logins === 1 && source.listRequests().length > 4) valid = ''
      const isKnown = request.headers.authorization === `token ${valid}`
      return isKnown ? undefined : { status: 401, json: {} }
    }
    const dataset = newDataset()
    const profile = { ...source.profile('offset'), auth: login }
    const { run } = await extract(server, { profile, dataset, config })
    expect([run.status, logins]).toEqual(['completed', 2])
    expect(await presentIds(server, dataset)).toHaveLength(95)
  })

  it('pauses the run when it lets nobody in, and one request finds out whether it does again', async () => {
    credentials[source.service.domain] = 'key-1'
    source.api.instead = (_, { headers }) =>
      headers['x-key'] === 'key-2' ? undefined : { status: 401, json: {} }
    const wanted = wantedRun({
      profile: { ...source.profile('offset'), auth: { kind: 'header', name: 'x-key' } },
      config,
    })
    const { runId, handle } = await begin(server, wanted)
    const paused = await until(runId, ({ pausedReason }) => pausedReason !== null)
    expect(paused.pausedReason).toContain('unauthorised')
    const before = source.listRequests().length
    await handle.signal(resumeSignal)
    await source.service.until(() => source.listRequests().length > before)
    await until(runId, ({ pausedReason }) => pausedReason !== null)
    expect(source.listRequests()).toHaveLength(before + 1)
    credentials[source.service.domain] = 'key-2'
    await handle.signal(resumeSignal)
    expect(await handle.result()).toEqual({ status: 'completed' })
    expect(await presentIds(server, wanted.dataset)).toHaveLength(95)
  })
})
