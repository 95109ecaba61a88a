/** Case 25: an extraction that is resumed with pages of another size. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { storePage } from '../../../src/db/extract-pages.repo.ts'
import { countedItems, type FakeSource, startFakeSource } from '../../support/fake-source.ts'
import { holdLists, holdListsFrom } from '../../support/held-lists.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { begin, newDataset, presentIds, reportOf, resume, wantedRun } from './extraction.ts'

let server: MatchServer
let source: FakeSource
beforeAll(async () => {
  server = await startMatchServer({ random: () => 0 })
})
afterAll(() => server.close())
beforeEach(async () => {
  source = await startFakeSource({ items: countedItems(95) })
  return () => source.close()
})

const config = { batchSize: 10, workers: 3 }

it.each([
  ['offset', 25, 10, 10],
  ['offset', 10, 250, 10],
  ['page', 20, 10, 20],
  ['cursor', 10, 250, 250],
] as const)(
  'case 25: one that goes on by %s with pages of %i and is to have %i has %i, no gap and no duplicate',
  async (kind, before, batchSize, after) => {
    const dataset = newDataset()
    const held = holdListsFrom(source, 4)
    const { runId, handle } = await begin(
      server,
      wantedRun({
        profile: source.profile(kind),
        dataset,
        config: { batchSize: before, workers: 8 },
      }),
    )
    await source.service.until(() => source.listRequests().length >= 4)
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow('cancelled')
    held.letGo()
    await resume(server, runId, { workers: 2, batchSize })
    expect(await presentIds(server, dataset)).toEqual(source.api.items.map(({ id }) => id))
    const { run, report } = await reportOf(server, runId)
    expect(report.types).toMatchObject([{ state: 'complete', rows: 95, items: 95 }])
    expect(run.options.config).toMatchObject({ workers: 2, batchSize })
    expect(source.listRequests().some((query) => `${query}&`.includes(`=${after}&`))).toBe(true)
  },
)

it('case 25: a hole is filled with smaller pages, and what is stored behind it is not read again', async () => {
  const dataset = newDataset()
  const held = holdLists(source, ({ searchParams }) => searchParams.get('offset') === '25')
  const { runId, handle } = await begin(
    server,
    wantedRun({
      profile: source.profile('offset'),
      dataset,
      config: { batchSize: 25, workers: 4 },
    }),
  )
  const { db } = server.bench
  await source.service.until(() => source.listRequests().length >= 2)
  await storePage(
    db,
    { runId, type: 'items', position: 50 },
    {
      asked: 25,
      rows: 25,
      rowsWithoutId: 0,
      items: source.api.items.slice(50, 75).map((item, ordinal) => ({
        id: String(item['id']),
        ordinal,
        body: JSON.stringify(item),
      })),
      next: null,
      total: null,
      hasDetails: false,
      worker: 'another',
    },
    () => ({ isLast: false, problem: null, advance: 25, size: 25 }),
  )
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  held.letGo()
  const before = source.listRequests().length
  await resume(server, runId, { workers: 4, batchSize: 10 })
  const { report } = await reportOf(server, runId)
  expect(report.types).toMatchObject([{ state: 'complete', rows: 95, items: 95 }])
  const asked = source.listRequests().slice(before)
  expect(asked.filter((query) => /offset=(5[0-9]|6[0-9]|7[0-4])\b/.test(query))).toEqual([])
})

it('case 25: of another filter is another extraction, from the first page on', async () => {
  const held = holdListsFrom(source, 3)
  const profile = source.profile('offset')
  const wanted = wantedRun({ profile, config })
  const { runId, handle } = await begin(server, wanted)
  await source.service.until(() => source.listRequests().length >= 3)
  const types = source.profile('offset', { params: { kind: 'new' } }).types
  const filtered = { ...wanted, profile: { ...profile, types } }
  await expect(begin(server, filtered)).rejects.toMatchObject({ code: 'other_run_open' })
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  held.letGo()
  const before = source.listRequests().length
  const other = await begin(server, filtered)
  await other.handle.result()
  expect(other.runId).not.toBe(runId)
  const asked = source.listRequests().slice(before)
  expect(asked[0]).toBe('kind=new&offset=0&limit=10')
  expect(asked.every((query) => query.startsWith('kind=new&'))).toBe(true)
})
