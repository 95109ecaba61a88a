import { describe, expect, it } from 'vitest'
import { countedItems } from '../../support/fake-source.ts'
import { extract, newDataset, presentIds } from './extraction.ts'
import { openSourceSite } from './source-site.ts'

const site = openSourceSite({ items: countedItems(57) })

const idsOf = (items: readonly { readonly id?: unknown }[]) => items.map(({ id }) => id)
const config = { batchSize: 10, workers: 4 }

describe('a list that cannot be believed', () => {
  async function doubtful(kind: 'offset' | 'cursor' | 'page') {
    const dataset = newDataset()
    const profile = site.source.profile(kind)
    await extract(site.server, { profile, dataset, config })
    return { dataset, profile }
  }

  it('case 19: ends where a page token comes again, keeps the pages so far, and marks nothing', async () => {
    const { dataset, profile } = await doubtful('cursor')
    const nextOf: Readonly<Record<string, string>> = { '': 'A', A: 'B', B: 'A' }
    site.source.api.instead = (url) => {
      const after = url.searchParams.get('after') ?? ''
      return { json: { data: [{ id: `of-${after}` }], next: nextOf[after] } }
    }
    const { run, report } = await extract(site.server, { profile, dataset, config })
    expect(run.status).toBe('completed_with_errors')
    expect(report.types).toMatchObject([
      { state: 'incomplete', code: 'pagination_loop', items: 3, landed: { new: 3, absent: 0 } },
    ])
    expect(await presentIds(site.server, dataset)).toHaveLength(60)
  })

  it('sees that a server pays no heed to the place it is asked for', async () => {
    site.source.api.instead = () => ({ json: countedItems(10) })
    const { report } = await extract(site.server, {
      profile: site.source.profile('offset'),
      config,
    })
    expect(report.types).toMatchObject([
      { state: 'incomplete', code: 'pagination_loop', items: 10 },
    ])
    expect(site.source.listRequests()).toHaveLength(2)
  })

  // Ties change places, and rows go, while it is read.
  const moveRows = (url: URL) => {
    if (url.searchParams.get('offset') === '20') {
      site.source.api.items = [
        site.source.api.items.at(-1) ?? {},
        ...site.source.api.items.slice(2, -1),
      ]
    }
    return undefined
  }

  it('case 20: is unstable where its total changes while it is read, and marks nothing absent', async () => {
    site.source.api.saysTotal = true
    const { dataset, profile } = await doubtful('offset')
    site.source.api.instead = moveRows
    const { run, report } = await extract(site.server, {
      profile,
      dataset,
      config: { batchSize: 10 },
    })
    expect(run.status).toBe('completed_with_errors')
    expect(report.types).toMatchObject([
      { state: 'unstable', code: 'total_changed', landed: { absent: 0 } },
    ])
    expect(await presentIds(site.server, dataset)).toHaveLength(57)
  })

  it('case 20: is read again where it may be, and believed when it stands still then', async () => {
    site.source.api.saysTotal = true
    const { dataset, profile } = await doubtful('offset')
    let moves = 0
    site.source.api.instead = (url) => {
      if (url.searchParams.get('offset') === '20' && (moves += 1) > 1) return undefined
      return moveRows(url)
    }
    const before = site.source.listRequests().length
    const { run, report } = await extract(site.server, {
      profile,
      dataset,
      config: { batchSize: 10 },
      rereads: 1,
    })
    expect(run.status).toBe('completed')
    expect(report.types).toMatchObject([
      { state: 'complete', rows: 55, pages: 6, items: 55, landed: { absent: 2 } },
    ])
    expect(site.source.listRequests().length - before).toBe(12)
    expect((await presentIds(site.server, dataset)).toSorted()).toEqual(
      idsOf(site.source.api.items).toSorted(),
    )
  })

  it('case 20: that never stands still is read again as often as is allowed, and is unstable', async () => {
    site.source.api.saysTotal = true
    site.source.api.instead = moveRows
    const { run, report } = await extract(site.server, {
      profile: site.source.profile('offset'),
      config: { batchSize: 10 },
      rereads: 2,
    })
    expect(run.status).toBe('completed_with_errors')
    expect(report.types).toMatchObject([{ state: 'unstable', code: 'total_changed' }])
    const first = site.source.listRequests().filter((query) => query.startsWith('offset=0&'))
    expect(first).toHaveLength(3)
  })

  it('case 20: where no total shows that rows moved, marks absent only what two runs in a row miss', async () => {
    const { dataset, profile } = await doubtful('offset')
    site.source.api.instead = moveRows
    const { report } = await extract(site.server, { profile, dataset, config: { batchSize: 10 } })
    expect(report.types).toMatchObject([
      {
        state: 'complete',
        rows: 55,
        landed: { absent: 0, leftPresent: 2, absenceCode: 'unconfirmed' },
      },
    ])
    site.source.api.instead = () => undefined
    const again = await extract(site.server, { profile, dataset, config: { batchSize: 10 } })
    expect(again.report.types[0]?.landed).toMatchObject({ absent: 0, leftPresent: 2 })
    const third = await extract(site.server, { profile, dataset, config: { batchSize: 10 } })
    expect(third.report.types[0]?.landed).toMatchObject({ absent: 2, leftPresent: 0 })
    expect((await presentIds(site.server, dataset)).toSorted()).toEqual(
      idsOf(site.source.api.items).toSorted(),
    )
  })

  it('is incomplete where a page cannot be read; the others are', async () => {
    const { dataset, profile } = await doubtful('page')
    site.source.api.instead = (url) =>
      url.searchParams.get('page') === '3' ? { status: 400, json: {} } : undefined
    const { report } = await extract(site.server, { profile, dataset, config })
    expect(report.types).toMatchObject([
      { state: 'incomplete', code: 'pages_failed', items: 47, errors: 1, landed: { absent: 0 } },
    ])
    expect(await presentIds(site.server, dataset)).toHaveLength(57)
  })

  it('case 22: an empty page in the middle ends nothing where there is a next one', async () => {
    const nextOf: Readonly<Record<string, string>> = { '': 'A', A: 'B' }
    site.source.api.instead = (url) => {
      const after = url.searchParams.get('after') ?? ''
      const data = after === 'A' ? [] : [{ id: `of-${after}` }]
      return { json: { data, next: nextOf[after] ?? null } }
    }
    const { report } = await extract(site.server, {
      profile: site.source.profile('cursor'),
      config,
    })
    expect(report.types).toMatchObject([{ state: 'complete', items: 2, pages: 3 }])
  })
})
