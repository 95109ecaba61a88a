import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluateProject } from '../../../src/client/evaluate/evaluate-project.ts'
import { matchFields } from '../../../src/client/export/match-fields.ts'
import { diffRuns } from '../../../src/client/match/run-diff.ts'
import { startRecheck } from '../../../src/client/recheck/start-recheck.ts'
import { replaceGoldItems } from '../../../src/db/gold-items.repo.ts'
import { appendJudgments, readJudgments } from '../../../src/db/judgments.repo.ts'
import {
  countItemStates,
  type MatchedItems,
  readMovedItems,
  readRedirects,
} from '../../../src/db/item-states.repo.ts'
import { readResults } from '../../../src/db/results.repo.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { startKbService } from '../../../src/kb/kb-service.ts'
import {
  answerByName,
  answerEach,
  manifestAnswer,
} from '../../support/fake-reconciliation-service.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

const records = ['Amsterdam', 'Berlin', 'Madrid', 'Paris', 'Nowhere'].map((name, index) => ({
  id: `r${index}`,
  name,
}))

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
})
afterAll(() => server.close())

async function matched(): Promise<TestProject> {
  const { bench, service } = server
  service.respond(answerByName)
  const project = await createTestProject(bench.db, server.ownAddress(), records)
  await (await bench.start(project.id)).result()
  return project
}

async function recheck(project: TestProject, since = new Date().toISOString()) {
  const { bench } = server
  const input = { projectId: project.id, since }
  const result = await (await startRecheck(bench.client, input, bench.taskQueue)).result()
  const items: MatchedItems = { projectId: project.id, service: project.settings.service }
  return {
    canTell: result.canTell,
    counts: await countItemStates(bench.db, items, since),
    records: await readMovedItems(bench.db, items),
  }
}

async function judge(
  project: TestProject,
  externalId: string,
  qid: string,
  note: string | null = null,
) {
  const said = { line: 1, externalId, verdict: 'match', qid, by: 'ada' } as const
  await appendJudgments(server.bench.db, project.id, [{ ...said, at: null, note, matchHash: null }])
}

/** What an export says of the stale ones. */
async function reasons({ id, datasetId, settings }: TestProject) {
  const said: Record<string, string | null> = {}
  const question = { projectId: id, datasetId, service: settings.service, statuses: [] }
  await readResults(server.bench.db, { ...question, includeAbsent: false }, async (page) => {
    for (const result of page)
      if (result.stale) said[result.externalId] = matchFields(result).reason
  })
  return said
}

/** The service finds these ids, and answers with another item where one is named. */
function answerById(known: Readonly<Record<string, string>>): void {
  server.service.respond((request) =>
    request.queries === null
      ? manifestAnswer(request)
      : answerEach(request, ({ query = '' }) =>
          known[query] === undefined
            ? []
            : [{ id: known[query], name: 'A city', score: 100, match: true }],
        ),
  )
}

describe('a recheck', () => {
  it('case 27: finds the items that were merged and those that are no longer there', async () => {
    const { db } = server.bench
    const project = await matched()
    await judge(project, 'r3', 'Q90')
    answerById({ Q727: 'Q727', Q64: 'Q6464', Q2807: 'Q2807' })
    const found = await recheck(project)
    expect(found).toMatchObject({
      canTell: true,
      counts: { items: 4, present: 2, merged: 1, missing: 1, failed: 0, unchecked: 0 },
      records: [
        { id: 'r1', qid: 'Q64', state: 'merged', mergedInto: 'Q6464', stale: false },
        { id: 'r3', qid: 'Q90', state: 'missing', mergedInto: null, stale: true },
      ],
    })
    // Nothing is changed, but an evaluation knows the item by both its ids.
    const gold = new Map([
      ['r0', 'Q727'],
      ['r1', 'Q6464'],
    ])
    const { evaluation, wrong } = await evaluateProject(db, project, gold)
    expect([evaluation.auto.right, wrong]).toEqual([2, []])
  })

  it('makes stale what was judged about an item that was merged or is gone, until it is judged anew', async () => {
    const { db } = server.bench
    const project = await matched()
    for (const [id, qid] of Object.entries({ r0: 'Q727', r1: 'Q64', r3: 'Q90' }))
      await judge(project, id, qid)
    answerById({ Q727: 'Q727', Q64: 'Q6464', Q2807: 'Q2807' })
    await recheck(project)
    expect(await countProject(db, project.id)).toMatchObject({ judged: 3, stale: 2 })
    const stale: string[] = []
    await readJudgments(db, project.id, async (page) => {
      stale.push(...page.flatMap((one) => (one.stale ? [one.externalId] : [])))
    })
    expect(stale).toEqual(['r1', 'r3'])
    const runs = { projectId: project.id, from: 1, to: 1 }
    expect(await diffRuns(db, runs, () => undefined)).toMatchObject({ stale: 2, merged: 0 })
    expect(await reasons(project)).toEqual({
      r1: 'Q64, which was judged, has become part of Q6464.',
      r3: 'Q90, which was judged, is no longer there.',
    })

    await judge(project, 'r1', 'Q6464')
    await judge(project, 'r3', 'Q90', 'It will be back.')
    expect(await countProject(db, project.id)).toMatchObject({ judged: 3, stale: 0 })
    // Still there as far as it is known: only what is gone is doubted again.
    answerById({ Q727: 'Q727', Q2807: 'Q2807', Q6464: 'Q6464' })
    await recheck(project)
    expect(Object.keys(await reasons(project))).toEqual(['r3'])
  })

  it('of a service that finds nothing by its id says that it cannot tell, and writes nothing', async () => {
    const project = await matched()
    answerById({})
    expect(await recheck(project)).toMatchObject({
      canTell: false,
      counts: { items: 4, missing: 0, unchecked: 4 },
      records: [],
    })
  })

  it('never takes "could not ask" for "no longer there"', async () => {
    const project = await matched()
    server.service.respond(refusing('Q90', { Q727: 'Q727', Q64: 'Q64', Q2807: 'Q2807' }))
    expect((await recheck(project)).counts).toMatchObject({ present: 3, missing: 0, failed: 1 })
  })

  it('forgets nothing of an item that cannot be asked later', async () => {
    const { db } = server.bench
    const project = await matched()
    answerById({ Q727: 'Q727', Q64: 'Q6464', Q2807: 'Q2807', Q90: 'Q90' })
    await recheck(project)
    server.service.respond(refusing('Q64', { Q727: 'Q727', Q2807: 'Q2807', Q90: 'Q90' }))
    const found = await recheck(project)
    expect(found.counts).toMatchObject({ present: 3, merged: 0, failed: 1, unchecked: 0 })
    expect((await readRedirects(db, project.settings.service)).get('Q64')).toBe('Q6464')
  })

  it('ends also where the clock of the database is behind', async () => {
    const project = await matched()
    answerById({ Q727: 'Q727', Q64: 'Q64', Q2807: 'Q2807', Q90: 'Q90' })
    const ahead = new Date(Date.now() + 3_600_000).toISOString()
    expect((await recheck(project, ahead)).counts).toMatchObject({ present: 4, unchecked: 0 })
  })

  it('asks for the items of a gold file too: one that is older than a merge is right all the same', async () => {
    const { db } = server.bench
    const project = await matched()
    const gold = new Map([['r1', 'Q70']])
    expect((await evaluateProject(db, project, gold)).evaluation.auto.right).toBe(0)
    await replaceGoldItems(db, project.id, new Set(gold.values()))
    answerById({ Q727: 'Q727', Q64: 'Q64', Q2807: 'Q2807', Q90: 'Q90', Q70: 'Q64' })
    expect(await recheck(project)).toMatchObject({
      counts: { items: 5, present: 4, merged: 1 },
      records: [],
    })
    expect((await evaluateProject(db, project, gold)).evaluation.auto.right).toBe(1)
  })

  it('can be told by serve-kb, which finds its items by their ids', async () => {
    const { bench } = server
    const folder = await mkdtemp(join(tmpdir(), 'record-linker-recheck-'))
    const file = join(folder, 'items.jsonl')
    const row = (qid: string, label: string) => JSON.stringify({ qid, label })
    await writeFile(file, [row('Q1', 'Amsterdam'), row('Q2', 'Berlin')].join('\n'))
    const before = await startKbService({ file, warn: () => undefined })
    const project = await createTestProject(bench.db, before.url, records.slice(0, 2))
    await (await bench.start(project.id)).result()
    const { port } = new URL(before.url)
    await before.close()
    await writeFile(file, row('Q1', 'Amsterdam'))
    const after = await startKbService({ file, port: Number(port), warn: () => undefined })
    const found = await recheck(project)
    await after.close()
    await rm(folder, { recursive: true })
    expect(found).toMatchObject({
      counts: { items: 2, present: 1, missing: 1 },
      records: [{ id: 'r1', qid: 'Q2', state: 'missing' }],
    })
  })
})

function refusing(refused: string, known: Readonly<Record<string, string>>) {
  return (request: Parameters<typeof manifestAnswer>[0]) => {
    if (request.queries === null) return manifestAnswer(request)
    if (Object.values(request.queries).some(({ query }) => query === refused)) {
      return { status: 400, json: {} }
    }
    return answerEach(request, ({ query = '' }) =>
      known[query] === undefined ? [] : [{ id: known[query], name: 'A city', score: 100 }],
    )
  }
}
