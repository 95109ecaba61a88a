/** What runs have kept: compared between two of them, and written out. */
import { describe, expect, it } from 'vitest'
import { diffExtractions, type ItemChange } from '../../../src/client/extract/extraction-diff.ts'
import type { ItemFormat } from '../../../src/client/extract/item-formats.ts'
import { exportItems } from '../../../src/client/extract/run-extract-export.ts'
import { contentTypeOf, type SourceProfile } from '../../../src/core/extract/source-profile.ts'
import { countedItems } from '../../support/fake-source.ts'
import { extract, newDataset } from './extraction.ts'
import { openSourceSite } from './source-site.ts'

const site = openSourceSite()

async function diffOf(from: number, to: number) {
  const changes: ItemChange[] = []
  const runs = { from, to, types: ['items'] }
  const [counts] = await diffExtractions(
    site.server.bench.db,
    runs,
    (one) => void changes.push(one),
  )
  return { counts, changes }
}

async function exported(runId: number, profile: SourceProfile, format: ItemFormat, excel = false) {
  const pieces: string[] = []
  const sink = { write: async (text: string | Buffer) => void pieces.push(text.toString()) }
  const type = contentTypeOf(profile, 'items')
  const count = await exportItems(site.server.bench.db, runId, type, { format, excel }, sink)
  return { count, text: pieces.join('') }
}

describe('a diff of two extractions', () => {
  it('tells what came, what changed in which fields, and what went', async () => {
    const dataset = newDataset()
    const profile = site.source.profile('offset')
    site.source.api.items = [...countedItems(20), { id: 'x', name: 'X', tags: ['a'], gone: 1 }]
    const { run: first } = await extract(site.server, { profile, dataset })
    site.source.api.items = [
      { id: 'new', name: 'New' },
      ...countedItems(18),
      { id: 'x', tags: ['a', 'b'], name: 'X', came: 2 },
    ]
    const { run: second } = await extract(site.server, { profile, dataset })
    expect(await diffOf(first.id, second.id)).toEqual({
      counts: { type: 'items', added: 1, changed: 1, removed: 2, unclear: 0, same: 18 },
      changes: [
        { type: 'items', kind: 'added', id: 'new', fields: [] },
        { type: 'items', kind: 'changed', id: 'x', fields: ['tags', 'came', 'gone'] },
        { type: 'items', kind: 'removed', id: 'i0018', fields: [] },
        { type: 'items', kind: 'removed', id: 'i0019', fields: [] },
      ],
    })
    expect((await diffOf(first.id, first.id)).changes).toEqual([])
    const back = await diffOf(second.id, first.id)
    expect(back.counts).toMatchObject({ added: 2, changed: 1, removed: 1, same: 18 })
  })

  it('takes another order of the fields of an item for no change', async () => {
    const profile = site.source.profile('none')
    const dataset = newDataset()
    site.source.api.items = [{ id: '1', owner: { a: 1, b: 2 } }]
    const { run: first } = await extract(site.server, { profile, dataset })
    site.source.api.items = [{ owner: { b: 2, a: 1 }, id: '1' }]
    const { run: second } = await extract(site.server, { profile, dataset })
    expect(await diffOf(first.id, second.id)).toMatchObject({
      counts: { changed: 0, same: 1 },
      changes: [],
    })
  })

  it('calls an item unclear whose details one of the two could not read', async () => {
    const profile = site.source.profile('none', { detail: { path: '/items/{id}' } })
    const dataset = newDataset()
    site.source.api.items = countedItems(3)
    const { run: first } = await extract(site.server, { profile, dataset })
    site.source.api.instead = (url) =>
      url.pathname === '/items/i0001' ? { status: 403, json: {} } : undefined
    const { run: second } = await extract(site.server, { profile, dataset })
    expect(await diffOf(first.id, second.id)).toMatchObject({
      counts: { changed: 0, unclear: 1, same: 2 },
      changes: [{ kind: 'unclear', id: 'i0001' }],
    })
  })
})

describe('an export of an extraction', () => {
  it('writes the items as the source sent them, in the order of the list, more than a page of them', async () => {
    site.source.api.items = countedItems(2_500)
    const profile = site.source.profile('offset')
    const { run } = await extract(site.server, { profile, config: { batchSize: 1000 } })
    const { count, text } = await exported(run.id, profile, 'jsonl')
    expect(count).toBe(2_500)
    const lines = text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(site.source.api.items)
    const json = await exported(run.id, profile, 'json')
    expect(JSON.parse(json.text)).toEqual(site.source.api.items)
  })

  it('writes CSV with a column for every field that any item has, or for those of the profile', async () => {
    site.source.api.items = [
      { id: 1, name: 'One, "1"', tags: ['a', 'b'] },
      { id: 2, owner: { name: '=Ann' } },
    ]
    const whole = site.source.profile('none')
    const { run } = await extract(site.server, { profile: whole })
    expect((await exported(run.id, whole, 'csv')).text).toBe(
      'id,name,owner,tags\n1,"One, ""1""",,a|b\n2,,"{""name"":""=Ann""}",\n',
    )
    const columns = { owner: 'owner.name', key: 'id' }
    const chosen = site.source.profile('none', { columns })
    const { run: second } = await extract(site.server, { profile: chosen })
    expect((await exported(second.id, chosen, 'csv')).text).toBe('key,owner\n1,\n2,=Ann\n')
    expect((await exported(second.id, chosen, 'csv', true)).text).toBe(
      "\ufeffkey,owner\n1,\n2,'=Ann\n",
    )
  })

  it('of nothing is an empty list', async () => {
    const profile = site.source.profile('none')
    const { run } = await extract(site.server, { profile })
    expect(JSON.parse((await exported(run.id, profile, 'json')).text)).toEqual([])
    expect(await exported(run.id, profile, 'jsonl')).toEqual({ count: 0, text: '' })
  })
})
