/** As `match/histories.test.ts`, of extractions. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { extractId, extractTypeId } from '../../../src/core/workflow-ids.ts'
import { findExtractRun } from '../../../src/db/extract-runs.repo.ts'
import { resumeSignal } from '../../../src/workflows/messages.ts'
import { type FakeSource, startFakeSource } from '../../support/fake-source.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import {
  keepHistories,
  type RecordedHistory,
  replay,
  takeHistory,
} from '../../support/recorded-histories.ts'
import { begin, newDataset, wantedRun } from './extraction.ts'

const SECRET = 'secret-canary'
const ITEM = 'item-canary'
const credentials: Record<string, string> = {}
let server: MatchServer
let source: FakeSource
beforeAll(async () => {
  server = await startMatchServer({ random: () => 0, credentials })
  source = await startFakeSource({
    items: Array.from({ length: 25 }, (_, at) => ({ id: `${ITEM}-${at}`, name: ITEM })),
  })
  credentials[source.service.domain] = SECRET
})
afterAll(async () => {
  await server.close()
  await source.close()
})

const detail = { path: '/items/{id}' }

function wantedTypes() {
  const numbered = source.profile('offset')
  const types = [
    ...numbered.types.map((type) => ({ ...type, name: 'numbered', detail })),
    ...source.profile('cursor').types.map((type) => ({ ...type, name: 'chained' })),
  ]
  const profile = { ...numbered, auth: { kind: 'bearer' } as const, types }
  return wantedRun({ profile, config: { batchSize: 10, workers: 4 }, dataset: newDataset() })
}

async function completed(): Promise<readonly RecordedHistory[]> {
  const { client } = server.bench
  const refused = `/items/${ITEM}-3`
  source.api.instead = ({ pathname }) => {
    return pathname === refused ? { status: 403, json: { error: ITEM } } : undefined
  }
  const { runId, handle } = await begin(server, wantedTypes())
  await handle.result()
  return [
    await takeHistory(client, 'extract-source-completed', extractId(runId)),
    await takeHistory(client, 'extract-content-type-numbered', extractTypeId(runId, 'numbered')),
    await takeHistory(client, 'extract-content-type-chained', extractTypeId(runId, 'chained')),
  ]
}

async function pausedAndCancelled(): Promise<readonly RecordedHistory[]> {
  const { client, db } = server.bench
  let isLetIn = false
  source.api.instead = ({ search }) => {
    if (!isLetIn) return { status: 401, json: { error: ITEM } }
    return search.includes('offset=20') ? { hang: 'before_headers' } : undefined
  }
  const { runId, handle } = await begin(server, wantedTypes())
  while ((await findExtractRun(db, runId))?.pausedReason == null) await sleep(50)
  isLetIn = true
  await handle.signal(resumeSignal)
  await source.service.until(() => source.listRequests().some((one) => one.includes('offset=20')))
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  return [
    await takeHistory(client, 'extract-source-paused', extractId(runId)),
    await takeHistory(client, 'extract-content-type-paused', extractTypeId(runId, 'numbered')),
  ]
}

async function cancelled(): Promise<readonly RecordedHistory[]> {
  const { client } = server.bench
  const before = source.listRequests().length
  source.api.instead = ({ search }) =>
    search.includes('offset=20') ? { hang: 'before_headers' } : undefined
  const { runId, handle } = await begin(server, wantedTypes())
  await source.service.until(() =>
    source
      .listRequests()
      .slice(before)
      .some((one) => one.includes('offset=20')),
  )
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  return [await takeHistory(client, 'extract-source-cancelled', extractId(runId))]
}

it.each([
  ['one that completes', completed],
  ['one that is cancelled', cancelled],
  ['one that is paused, resumed and cancelled', pausedAndCancelled],
])('the histories of %s replay, and have no item and no secret', async (_, scenario) => {
  const recorded = await scenario()
  for (const history of recorded) {
    await replay(inject('workflowBundlePath'), history)
    const text = Buffer.from(history.history, 'base64').toString('latin1')
    expect(text).toContain('runId')
    expect([text.includes(SECRET), text.includes(ITEM)]).toEqual([false, false])
  }
  if (process.env['RECORD_HISTORIES'] === '1') await keepHistories(recorded)
})

it('nor is a secret in the database', async () => {
  const rows = await server.bench.db.selectFrom('extract_run').selectAll().execute()
  const attempts = await server.bench.db.selectFrom('attempt').selectAll().execute()
  const errors = await server.bench.db.selectFrom('extract_error').selectAll().execute()
  const text = JSON.stringify([rows, attempts])
  expect(rows.length).toBeGreaterThan(0)
  expect([text.includes(SECRET), text.includes(ITEM)]).toEqual([false, false])
  expect(errors.map(({ message }) => message.includes(ITEM))).toEqual([false])
})
