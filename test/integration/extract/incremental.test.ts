import { expect, it } from 'vitest'
import { asIncremental } from '../../../src/client/extract/incremental.ts'
import type { ContentType, SourceProfile } from '../../../src/core/extract/source-profile.ts'
import { begin, entriesOf, newDataset, presentIds, reportOf, wantedRun } from './extraction.ts'
import { openSourceSite } from './source-site.ts'

const hour = (number: number) => `2026-03-01T${String(number).padStart(2, '0')}:00:00Z`
const item = (number: number, updated: string) => ({
  id: `i${number}`,
  name: `v ${updated}`,
  updated,
})
const changedSince = { param: 'since', field: 'updated' }

/** As the list by offset, of what changed then or later. */
function sinceAnswer({ searchParams }: URL) {
  const since = searchParams.get('since')
  if (since === null) return undefined
  const changed = site.source.api.items.filter((one) => String(one['updated']) >= since)
  const offset = Number(searchParams.get('offset'))
  return { json: changed.slice(offset, offset + Number(searchParams.get('limit'))) }
}

const site = openSourceSite({
  // Two pages, the oldest items first.
  items: Array.from({ length: 15 }, (_, n) => item(n, hour(n))),
  instead: sinceAnswer,
})

const change = (number: number, updated: string) => {
  site.source.api.items = site.source.api.items.map((one) =>
    one['id'] === `i${number}` ? item(number, updated) : one,
  )
}

function profileOf(changes: Partial<ContentType> = {}): SourceProfile {
  return site.source.profile('offset', { changedSince, ...changes })
}

async function run(profile: SourceProfile, dataset: string, isIncremental: boolean) {
  const full = wantedRun({ profile, dataset, config: { batchSize: 10 } })
  const wanted = isIncremental ? await asIncremental(site.server.bench.db, full) : full
  const { runId, handle } = await begin(site.server, wanted)
  await handle.result()
  const { report } = await reportOf(site.server, runId)
  const [type] = report.types
  return { since: report.since['items'], landed: type?.landed, items: type?.items }
}

it('an incremental run reads what changed, and never marks anything absent', async () => {
  const dataset = newDataset()
  const profile = profileOf()
  expect(await run(profile, dataset, false)).toMatchObject({ since: undefined, items: 15 })

  change(2, hour(20))
  site.source.api.items = [...site.source.api.items.slice(1), item(99, hour(21))]
  // Of the first page, since nothing that changed behind the back of the first run is older.
  expect(await run(profile, dataset, true)).toMatchObject({
    since: hour(9),
    items: 8,
    landed: { new: 1, changed: 1, unchanged: 6, leftPresent: 0, absenceCode: null },
  })
  expect(await presentIds(site.server, dataset)).toHaveLength(16)
  expect(await run(profile, dataset, true)).toMatchObject({ since: hour(21), items: 1 })

  expect(await run(profile, dataset, false)).toMatchObject({ since: undefined, items: 15 })
  // It says no total, so a second full run has to miss it too; the incremental ones between say nothing of it.
  expect(await presentIds(site.server, dataset)).toHaveLength(16)
  await run(profile, dataset, true)
  await run(profile, dataset, false)
  expect(await presentIds(site.server, dataset)).not.toContain('i0')
  expect(await presentIds(site.server, dataset)).toHaveLength(15)
})

it('finds what changed behind the back of the run before', async () => {
  const dataset = newDataset()
  const profile = profileOf()
  site.source.api.instead = (url) => {
    // The first page has been read; what is read next is newer than the change.
    if (url.searchParams.get('offset') === '10') {
      change(3, hour(20))
      change(12, hour(21))
    }
    return sinceAnswer(url)
  }
  await run(profile, dataset, false)
  const nameOf = async () =>
    (await entriesOf(site.server, dataset)).find(({ id }) => id === 'i3')?.source['name']
  expect(await nameOf()).toBe(`v ${hour(3)}`)
  site.source.api.instead = sinceAnswer
  await run(profile, dataset, true)
  expect(await nameOf()).toBe(`v ${hour(20)}`)
})

it('is read in full where no equal list was read before, and asked otherwise it is refused', async () => {
  const dataset = newDataset()
  const profile = profileOf()
  expect(await run(profile, dataset, true)).toMatchObject({ since: undefined, items: 15 })
  const otherwise = { ...profile, types: profileOf({ params: { kind: 'all' } }).types }
  expect(await run(otherwise, dataset, true)).toMatchObject({ since: undefined, items: 15 })

  const incremental = (changes: Partial<ContentType>) =>
    run({ ...profile, types: profileOf(changes).types }, dataset, true)
  const { changedSince: _, ...plain } = profile.types[0] ?? {}
  await expect(
    run({ ...profile, types: [plain as ContentType] }, dataset, true),
  ).rejects.toMatchObject({ code: 'no_changed_since' })
  const wrongField = { changedSince: { param: 'since', field: 'name' } }
  await incremental(wrongField)
  await expect(incremental(wrongField)).rejects.toMatchObject({
    code: 'no_change_times',
    message: expect.stringContaining('"name"'),
  })
})
