import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ExtractSourceInput } from '../../../src/core/extract/extract-run.ts'
import { PAUSED_BY_USER } from '../../../src/core/run-progress.ts'
import { extractId } from '../../../src/core/workflow-ids.ts'
import { createExtractRun } from '../../../src/db/extract-runs.repo.ts'
import type { extractSource } from '../../../src/workflows/extract-source.ts'
import { pauseSignal, resumeSignal } from '../../../src/workflows/messages.ts'
import { countedItems } from '../../support/fake-source.ts'
import { holdListsFrom } from '../../support/held-lists.ts'
import {
  begin,
  extract,
  newDataset,
  presentIds,
  reportOf,
  resume,
  until,
  wantedRun,
} from './extraction.ts'
import { openSourceSite } from './source-site.ts'

const site = openSourceSite({ items: countedItems(95) })

const config = { batchSize: 10, workers: 3 }
const LAST = 'offset=90&limit=10'

const timesAsked = () => {
  const times = new Map<string, number>()
  for (const query of site.source.listRequests()) times.set(query, (times.get(query) ?? 0) + 1)
  return times
}

describe('an extraction', () => {
  it('that is cancelled asks nothing more, lands nothing, and goes on where it was when it is resumed', async () => {
    const dataset = newDataset()
    const held = holdListsFrom(site.source, 6)
    const { runId, handle } = await begin(
      site.server,
      wantedRun({ profile: site.source.profile('offset'), dataset, config }),
    )
    await site.source.service.until(() => site.source.listRequests().length >= 6)
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow('cancelled')
    const cancelled = await reportOf(site.server, runId)
    expect(cancelled.run.status).toBe('cancelled')
    expect(await presentIds(site.server, dataset)).toEqual([])
    const stored = cancelled.report.types[0]?.pages ?? 0
    expect(stored).toBeGreaterThanOrEqual(3)
    const asked = site.source.listRequests().length
    held.letGo()
    expect(asked - stored).toBeLessThanOrEqual(3)

    await resume(site.server, runId, { workers: 1 })
    const { run, report } = await reportOf(site.server, runId)
    expect([run.status, run.options.config.workers]).toEqual(['completed', 1])
    expect(report.types).toMatchObject([{ rows: 95, items: 95, state: 'complete' }])
    expect(await presentIds(site.server, dataset)).toHaveLength(95)
    // What was on its way is asked again, nothing else.
    expect([...timesAsked().values()].filter((times) => times > 1).length).toBeLessThanOrEqual(3)
    expect(site.source.listRequests().at(-1)).toBe(LAST)
  })

  it('that is paused asks nothing until it is resumed', async () => {
    const dataset = newDataset()
    const held = holdListsFrom(site.source, 4)
    const { runId, handle } = await begin(
      site.server,
      // One page on its way: how many there are of several workers is the limiter's to say.
      wantedRun({
        profile: site.source.profile('offset'),
        dataset,
        config: { ...config, workers: 1 },
      }),
    )
    await site.source.service.until(() => site.source.listRequests().length >= 4)
    await handle.signal(pauseSignal, { reason: PAUSED_BY_USER })
    await until(site.server, runId, ({ pausedReason }) => pausedReason !== null)
    const before = site.source.listRequests().length
    held.letGo()
    await sleep(1_000)
    expect(site.source.listRequests()).toHaveLength(before)
    await handle.signal(resumeSignal)
    expect(await handle.result()).toEqual({ status: 'completed' })
    expect(await presentIds(site.server, dataset)).toHaveLength(95)
    // What was on its way when it was paused may come again, what had come does not.
    const come = site.source.listRequests().slice(0, 3)
    expect(come.map((query) => timesAsked().get(query))).toEqual([1, 1, 1])
  })

  it('that is terminated loses nothing, and is resumed', async () => {
    const dataset = newDataset()
    const held = holdListsFrom(site.source, 5)
    const { runId, handle } = await begin(
      site.server,
      wantedRun({ profile: site.source.profile('cursor'), dataset, config }),
    )
    await site.source.service.until(() => site.source.listRequests().length >= 5)
    await handle.terminate()
    expect((await until(site.server, runId, ({ status }) => status !== 'open')).status).toBe(
      'terminated',
    )
    held.letGo()
    await resume(site.server, runId)
    expect((await reportOf(site.server, runId)).report.types).toMatchObject([
      { items: 95, rows: 95 },
    ])
    const twice = [...timesAsked()].filter(([, times]) => times > 1)
    expect(twice.length).toBeLessThanOrEqual(1)
  })

  it('continues as new in the middle of its pages, and asks none again', async () => {
    const { client, db, taskQueue } = site.server.bench
    for (const kind of ['offset', 'link'] as const) {
      const wanted = wantedRun({ profile: site.source.profile(kind), config })
      const runId = await createExtractRun(db, wanted)
      if (runId === undefined) throw new Error('another run is open')
      const input: ExtractSourceInput = { runId, pagesPerExecution: 4 }
      await client.workflow.execute<typeof extractSource>('extractSource', {
        workflowId: extractId(runId),
        taskQueue,
        args: [input],
      })
      expect(await presentIds(site.server, wanted.dataset)).toHaveLength(95)
    }
    expect([...timesAsked().values()].every((times) => times === 1)).toBe(true)
  })

  it.each(['offset', 'link'] as const)(
    'that is cancelled when its pages by %s have continued as new ends, and is resumed',
    async (kind) => {
      const { client, db, taskQueue } = site.server.bench
      const wanted = wantedRun({ profile: site.source.profile(kind), config })
      const held = holdListsFrom(site.source, 6)
      const runId = await createExtractRun(db, wanted)
      if (runId === undefined) throw new Error('another run is open')
      const input: ExtractSourceInput = { runId, pagesPerExecution: 4 }
      const handle = await client.workflow.start<typeof extractSource>('extractSource', {
        workflowId: extractId(runId),
        taskQueue,
        args: [input],
      })
      await site.source.service.until(() => site.source.listRequests().length >= 6)
      await handle.cancel()
      await expect(handle.result()).rejects.toThrow('cancelled')
      held.letGo()
      expect((await reportOf(site.server, runId)).run.status).toBe('cancelled')
      await resume(site.server, runId)
      expect(await presentIds(site.server, wanted.dataset)).toHaveLength(95)
    },
  )

  it('is joined by an equal start, and refuses another one of the same source', async () => {
    const held = holdListsFrom(site.source, 2)
    const wanted = wantedRun({ profile: site.source.profile('offset'), config })
    const { runId, handle } = await begin(site.server, wanted)
    await site.source.service.until(() => site.source.listRequests().length >= 2)
    expect(await begin(site.server, wanted)).toMatchObject({ runId, attached: true })
    await expect(begin(site.server, { ...wanted, dataset: newDataset() })).rejects.toMatchObject({
      code: 'other_run_open',
    })
    held.letGo()
    await handle.result()
    expect(await begin(site.server, wanted)).toMatchObject({ attached: false })
  })

  it('of several types makes a dataset of each; one that cannot be read stops no other', async () => {
    const dataset = newDataset()
    const one = site.source.profile('offset')
    const [type] = one.types
    if (type === undefined) throw new Error('a profile without types')
    const profile = {
      ...one,
      types: [
        { ...type, name: 'gone', path: '/list/nowhere' },
        { ...type, name: 'numbered' },
        ...site.source.profile('cursor').types.map((other) => ({ ...other, name: 'chained' })),
      ],
    }
    const { run, report } = await extract(site.server, { profile, dataset, config })
    expect(run.status).toBe('completed_with_errors')
    expect(report.types).toMatchObject([
      { type: 'gone', state: 'failed', code: 'not_found', errors: 1 },
      { type: 'numbered', state: 'complete', dataset: `${dataset}-numbered`, items: 95 },
      { type: 'chained', state: 'complete', dataset: `${dataset}-chained`, items: 95 },
    ])
    expect(await presentIds(site.server, `${dataset}-chained`)).toHaveLength(95)
  })
})
