/** Case 25: an extraction that is resumed with pages of another size. */
import { expect, it } from 'vitest'
import { storePage } from '../../../src/db/extract-pages.repo.ts'
import { countedItems } from '../../support/fake-source.ts'
import { holdLists, holdListsFrom } from '../../support/held-lists.ts'
import { begin, newDataset, presentIds, reportOf, resume, wantedRun } from './extraction.ts'
import { openSourceSite } from './source-site.ts'

const site = openSourceSite({ items: countedItems(95) })

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
    const held = holdListsFrom(site.source, 4)
    const { runId, handle } = await begin(
      site.server,
      wantedRun({
        profile: site.source.profile(kind),
        dataset,
        config: { batchSize: before, workers: 8 },
      }),
    )
    await site.source.service.until(() => site.source.listRequests().length >= 4)
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow('cancelled')
    held.letGo()
    await resume(site.server, runId, { workers: 2, batchSize })
    expect(await presentIds(site.server, dataset)).toEqual(
      site.source.api.items.map(({ id }) => id),
    )
    const { run, report } = await reportOf(site.server, runId)
    expect(report.types).toMatchObject([{ state: 'complete', rows: 95, items: 95 }])
    expect(run.options.config).toMatchObject({ workers: 2, batchSize })
    expect(site.source.listRequests().some((query) => `${query}&`.includes(`=${after}&`))).toBe(
      true,
    )
  },
)

it('case 25: a hole is filled with smaller pages, and what is stored behind it is not read again', async () => {
  const dataset = newDataset()
  const held = holdLists(site.source, ({ searchParams }) => searchParams.get('offset') === '25')
  const { runId, handle } = await begin(
    site.server,
    wantedRun({
      profile: site.source.profile('offset'),
      dataset,
      config: { batchSize: 25, workers: 4 },
    }),
  )
  const { db } = site.server.bench
  await site.source.service.until(() => site.source.listRequests().length >= 2)
  await storePage(
    db,
    { runId, type: 'items', position: 50 },
    {
      asked: 25,
      rows: 25,
      rowsWithoutId: 0,
      items: site.source.api.items.slice(50, 75).map((item, ordinal) => ({
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
  const before = site.source.listRequests().length
  await resume(site.server, runId, { workers: 4, batchSize: 10 })
  const { report } = await reportOf(site.server, runId)
  expect(report.types).toMatchObject([{ state: 'complete', rows: 95, items: 95 }])
  const asked = site.source.listRequests().slice(before)
  expect(asked.filter((query) => /offset=(5[0-9]|6[0-9]|7[0-4])\b/.test(query))).toEqual([])
})

it('case 25: of another filter is another extraction, from the first page on', async () => {
  const held = holdListsFrom(site.source, 3)
  const profile = site.source.profile('offset')
  const wanted = wantedRun({ profile, config })
  const { runId, handle } = await begin(site.server, wanted)
  await site.source.service.until(() => site.source.listRequests().length >= 3)
  const types = site.source.profile('offset', { params: { kind: 'new' } }).types
  const filtered = { ...wanted, profile: { ...profile, types } }
  await expect(begin(site.server, filtered)).rejects.toMatchObject({ code: 'other_run_open' })
  await handle.cancel()
  await expect(handle.result()).rejects.toThrow('cancelled')
  held.letGo()
  const before = site.source.listRequests().length
  const other = await begin(site.server, filtered)
  await other.handle.result()
  expect(other.runId).not.toBe(runId)
  const asked = site.source.listRequests().slice(before)
  expect(asked[0]).toBe('kind=new&offset=0&limit=10')
  expect(asked.every((query) => query.startsWith('kind=new&'))).toBe(true)
})
