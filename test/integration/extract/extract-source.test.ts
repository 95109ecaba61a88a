import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { reopenExtraction } from '../../../src/client/extract/resume-extraction.ts'
import { beginExtraction } from '../../../src/client/extract/start-extraction.ts'
import { extractErrors } from '../../../src/db/extract-report.repo.ts'
import { deleteDataset, findDataset } from '../../../src/db/datasets.repo.ts'
import { findExtractRun } from '../../../src/db/extract-runs.repo.ts'
import { countedItems } from '../../support/fake-source.ts'
import { entriesOf, extract, newDataset, presentIds, reportOf } from './extraction.ts'
import { openSourceSite } from './source-site.ts'

const site = openSourceSite({ items: countedItems(57) })

const idsOf = (items: readonly { readonly id?: unknown }[]) => items.map(({ id }) => id)
const config = { batchSize: 10, workers: 4 }

describe('an extraction', () => {
  it.each(['offset', 'page', 'cursor', 'link', 'none'] as const)(
    'reads a whole list that goes on by %s, in its order, each page once',
    async (kind) => {
      const dataset = newDataset()
      const { run, report } = await extract(site.server, {
        profile: site.source.profile(kind),
        dataset,
        config,
      })
      expect(run.status).toBe('completed')
      expect(await presentIds(site.server, dataset)).toEqual(idsOf(site.source.api.items))
      expect(report.types).toMatchObject([
        { type: 'items', state: 'complete', rows: 57, items: 57, landed: { new: 57, absent: 0 } },
      ])
      expect(run.itemsPerSecond).toBeGreaterThan(0)
      const asked = site.source.listRequests()
      expect(new Set(asked).size).toBe(asked.length)
      expect(asked.length).toBeLessThanOrEqual(kind === 'none' ? 1 : 6 + 4)
    },
  )

  it('lands the items as records with a cell per field, or per chosen column', async () => {
    site.source.api.items = [
      { id: 7, name: 'Seven', owner: { name: 'Ann' }, tags: ['a', 'b'], big: 12 },
    ]
    const whole = newDataset()
    await extract(site.server, { profile: site.source.profile('none'), dataset: whole })
    expect(await entriesOf(site.server, whole)).toMatchObject([
      {
        id: '7',
        source: { id: '7', name: 'Seven', owner: '{"name":"Ann"}', tags: 'a|b', big: '12' },
      },
    ])
    const chosen = newDataset()
    const columns = { title: 'name', key: 'id', owner: 'owner.name' }
    await extract(site.server, {
      profile: site.source.profile('none', { columns }),
      dataset: chosen,
    })
    expect(await entriesOf(site.server, chosen)).toMatchObject([
      { id: '7', source: { title: 'Seven', key: '7', owner: 'Ann' } },
    ])
  })

  it('keeps an unchanged item once for all runs, and nothing once its dataset is deleted', async () => {
    const { db } = site.server.bench
    site.source.api.items = countedItems(5, 9_000)
    const dataset = newDataset()
    const profile = site.source.profile('none')
    const bodies = async () =>
      (await sql<{ body: string }>`select body::text from extract_body`.execute(db)).rows.filter(
        ({ body }) => body.includes('Item 900'),
      )
    await extract(site.server, { profile, dataset })
    site.source.api.items = [
      ...site.source.api.items.slice(1),
      { id: 'i9000', name: 'Item 900 changed' },
    ]
    const { run } = await extract(site.server, { profile, dataset })
    expect(await bodies()).toHaveLength(6)
    await deleteDataset(db, (await findDataset(db, dataset))?.id ?? 0)
    expect(await bodies()).toEqual([])
    expect(await findExtractRun(db, run.id)).toBeUndefined()
  })

  it('case 28: keeps ids beyond 2^53, "::" and what Postgres cannot hold', async () => {
    site.source.api.instead = (url) =>
      url.pathname === '/list/none'
        ? { body: '[{"id":9007199254740993,"name":"a\\u0000b"},{"id":"x::y","name":"\\ud800"}]' }
        : undefined
    const profile = site.source.profile('none', { detail: { path: '/items/{id}' } })
    const dataset = newDataset()
    site.source.api.items = [{ id: '9007199254740993' }, { id: 'x::y' }]
    await extract(site.server, { profile, dataset })
    expect(await entriesOf(site.server, dataset)).toMatchObject([
      { id: '9007199254740993', source: { name: 'ab', more: 'More of 9007199254740993' } },
      { id: 'x::y', source: { name: '\ufffd', more: 'More of x::y' } },
    ])
    expect(site.source.service.requests.map(({ path }) => path)).toContain('/items/x%3A%3Ay')
  })

  it('case 21: finds a page size that the server does not serve, with and without a total', async () => {
    site.source.api.cap = 7
    for (const kind of ['offset', 'page'] as const) {
      const dataset = newDataset()
      const { run } = await extract(site.server, {
        profile: site.source.profile(kind),
        dataset,
        config,
      })
      expect([kind, run.status]).toEqual([kind, 'completed'])
      expect(await presentIds(site.server, dataset)).toEqual(idsOf(site.source.api.items))
    }
    site.source.api.saysTotal = true
    const dataset = newDataset()
    await extract(site.server, { profile: site.source.profile('offset'), dataset, config })
    expect(await presentIds(site.server, dataset)).toHaveLength(57)
  })

  it('asks a list that fits one page once where the source says how long it is', async () => {
    site.source.api.saysTotal = true
    await extract(site.server, {
      profile: site.source.profile('offset'),
      config: { batchSize: 100 },
    })
    expect(site.source.listRequests()).toEqual(['offset=0&limit=100'])
  })

  it('asks for smaller pages where the server breaks down over large ones', async () => {
    site.source.api.instead = (url) =>
      Number(url.searchParams.get('limit')) > 25 ? { status: 500, json: {} } : undefined
    const dataset = newDataset()
    const { run } = await extract(site.server, {
      profile: site.source.profile('offset'),
      dataset,
      config: { batchSize: 50 },
    })
    expect(run.status).toBe('completed')
    expect(await presentIds(site.server, dataset)).toEqual(idsOf(site.source.api.items))
    expect(site.source.listRequests().filter((query) => query.endsWith('limit=50'))).toHaveLength(1)
  })

  it('asks the details of each item, keeps on when one is refused, and a resume asks that one again', async () => {
    site.source.api.items = countedItems(12)
    site.source.api.instead = (url) =>
      url.pathname === '/items/i0003' ? { status: 403, json: {} } : undefined
    const dataset = newDataset()
    const profile = site.source.profile('offset', { detail: { path: '/items/{id}' } })
    const { run, report } = await extract(site.server, { profile, dataset, config })
    expect(run.status).toBe('completed_with_errors')
    expect(report.types).toMatchObject([{ state: 'complete', items: 12, details: 11, errors: 1 }])
    const entries = await entriesOf(site.server, dataset)
    expect(entries[3]?.source).toEqual({ id: 'i0003', name: 'Item 3' })
    expect(entries[4]?.source).toEqual({ id: 'i0004', name: 'Item 4', more: 'More of i0004' })
    expect(site.source.detailRequests()).toHaveLength(12)

    site.source.api.instead = () => undefined
    const { client, db, taskQueue } = site.server.bench
    await reopenExtraction(db, run)
    await (await beginExtraction(client, run.id, taskQueue)).result()
    expect((await reportOf(site.server, run.id)).report).toMatchObject({
      status: 'completed',
      errors: 0,
    })
    expect(site.source.detailRequests().slice(12)).toEqual(['i0003'])
    expect((await entriesOf(site.server, dataset))[3]?.source).toMatchObject({
      more: 'More of i0003',
    })
  })

  it('case 26: items whose details are refused, gone or broken are noted, each with its code, and stop nothing', async () => {
    site.source.api.items = countedItems(12)
    const statuses: Readonly<Record<string, number>> = {
      '/items/i0003': 403,
      '/items/i0005': 404,
      '/items/i0007': 500,
    }
    site.source.api.instead = ({ pathname }) => {
      const status = statuses[pathname]
      return status === undefined ? undefined : { status, json: { message: 'No.' } }
    }
    const profile = site.source.profile('offset', { detail: { path: '/items/{id}' } })
    const { run, report } = await extract(site.server, { profile, config, maxAttempts: 1 })
    expect(run.status).toBe('completed_with_errors')
    expect(report.types).toMatchObject([{ state: 'complete', items: 12, details: 9, errors: 3 }])
    const errors = await extractErrors(site.server.bench.db, run.id, 100)
    expect(errors.map(({ item, code }) => `${item} ${code}`)).toEqual([
      'i0003 forbidden',
      'i0005 not_found',
      'i0007 server_error',
    ])
    // A sentence each, which does not name the item.
    for (const { message } of errors)
      expect(message).toMatch(/^http.*\/items\/\{id\} answered \d+ .*\.$/)
  })

  it('goes on after refusals that cost no attempt, and after failures that do', async () => {
    site.source.service.respondOnce(
      { status: 429, headers: { 'retry-after': '1' }, json: {} },
      { status: 503, headers: { 'retry-after': '1' }, json: {} },
      { body: '<html>busy</html>', headers: { 'content-type': 'text/html' } },
    )
    const dataset = newDataset()
    const { run } = await extract(site.server, {
      profile: site.source.profile('cursor'),
      dataset,
      config: { batchSize: 50 },
      maxAttempts: 2,
    })
    expect(run.status).toBe('completed')
    expect(await presentIds(site.server, dataset)).toHaveLength(57)
  })
})

describe('a later extraction', () => {
  it('changes what has changed, and marks absent what a complete list no longer has', async () => {
    site.source.api.saysTotal = true
    const dataset = newDataset()
    const profile = site.source.profile('page')
    await extract(site.server, { profile, dataset, config })
    const kept = site.source.api.items.slice(5)
    site.source.api.items = [...kept.slice(0, -1), { id: 'i0056', name: 'Changed' }, { id: 'new' }]
    const { report } = await extract(site.server, { profile, dataset, config })
    expect(report.types[0]?.landed).toEqual({
      new: 1,
      changed: 1,
      unchanged: 51,
      absent: 5,
      leftPresent: 0,
      absenceCode: null,
    })
    expect(await presentIds(site.server, dataset)).toEqual(idsOf(site.source.api.items))
    expect((await entriesOf(site.server, dataset)).filter(({ isAbsent }) => isAbsent)).toHaveLength(
      5,
    )
  })

  it('case 27: marks nothing absent when the list is empty or has lost too much, unless that is allowed', async () => {
    const dataset = newDataset()
    const profile = site.source.profile('offset')
    await extract(site.server, { profile, dataset, config })
    site.source.api.items = []
    const empty = await extract(site.server, { profile, dataset, config })
    expect(empty.report.types[0]?.landed).toMatchObject({
      absent: 0,
      leftPresent: 57,
      absenceCode: 'empty_list',
    })
    site.source.api.items = countedItems(23)
    const short = await extract(site.server, { profile, dataset, config })
    expect(short.report.types[0]?.landed).toMatchObject({
      absent: 0,
      leftPresent: 34,
      absenceCode: 'too_many_absent',
    })
    const allowed = await extract(site.server, { profile, dataset, config, mostAbsentPercent: 100 })
    expect(allowed.report.types[0]?.landed).toMatchObject({ absent: 34, leftPresent: 0 })
  })
})
