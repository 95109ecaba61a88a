import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { previewRescore } from '../../../src/client/match/rescore-preview.ts'
import { diffRuns } from '../../../src/client/match/run-diff.ts'
import type { ProjectSettings } from '../../../src/core/project-settings.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { countDue } from '../../../src/db/due-subjects.ts'
import { appendJudgments } from '../../../src/db/judgments.repo.ts'
import { findProject } from '../../../src/db/projects.repo.ts'
import { countUnanswered } from '../../../src/db/run-changes.repo.ts'
import { latestRun } from '../../../src/db/runs.repo.ts'
import { answerEach, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import {
  createTestProject,
  reviseSettings,
  type TestProject,
  type TestRecord,
} from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
  // Two namesakes that only their country tells apart.
  server.service.respond((request) =>
    request.queries === null
      ? manifestAnswer(request)
      : answerEach(request, ({ query = '' }) =>
          query === 'Nowhere'
            ? []
            : [
                namesake('Q1', query, 'Q183', 'Germany'),
                namesake('Q2', query, 'Q30', 'United States'),
              ],
        ),
  )
})
afterAll(() => server.close())

const namesake = (id: string, name: string, country: string, countryName: string) => ({
  id,
  name,
  score: 100,
  match: false,
  properties: { P17: [{ id: country, name: countryName }] },
})

const records: readonly TestRecord[] = [
  { id: 'a', name: 'Berlin', first: 'DE', second: 'US' },
  { id: 'b', name: 'Bremen', first: 'DE', second: 'DE' },
  { id: 'c', name: 'Nowhere', first: 'DE', second: 'US' },
]

/** Countries are read from this column. */
const byColumn = (column: string): ProjectSettings['mapping'] => ({
  name: 'name',
  variants: [],
  properties: [{ pid: 'P17', columns: [column], kind: 'item', use: 'compare' }],
})

async function matched(): Promise<TestProject> {
  const { bench } = server
  const project = await createTestProject(bench.db, server.ownAddress(), records, {
    mapping: byColumn('first'),
  })
  await (await bench.start(project.id)).result()
  return project
}

async function rescore({ id }: TestProject, settingsRevision: number) {
  const handle = await server.bench.start(id, { options: { rescore: true }, settingsRevision })
  await handle.result()
}

async function results({ id }: TestProject): Promise<readonly string[]> {
  const rows = await server.bench.db
    .selectFrom('result')
    .where('project_id', '=', id)
    .select(['external_id', 'match_status', 'match_qid', 'rule'])
    .orderBy('position')
    .execute()
  return rows.map((row) =>
    [row.external_id, row.match_status, row.match_qid, row.rule].filter(Boolean).join(' '),
  )
}

async function queuedOf({ id }: TestProject): Promise<number> {
  const queued = await server.bench.db
    .selectFrom('subject')
    .where('project_id', '=', id)
    .where('status', '=', 'QUEUED')
    .select('id')
    .execute()
  return queued.length
}

async function preview({ id }: TestProject) {
  const project = await findProject(server.bench.db, id)
  if (project === undefined) throw new Error('the project is gone')
  return previewRescore(server.bench.db, project)
}

const first = [
  'a matched Q1 score-and-lead',
  'b matched Q1 score-and-lead',
  'c no_candidate nothing-found',
]

describe('a rescore', () => {
  it('decides again by the settings of now, asks nobody, and says before what it will change', async () => {
    const { bench, service } = server
    const project = await matched()
    expect(await results(project)).toEqual(first)
    await reviseSettings(bench.db, project, { mapping: byColumn('second') })
    const asked = service.requests.length

    const seen = await preview(project)
    expect(seen).toMatchObject({
      counts: { changed: 1, lost: 0, new: 0 },
      unchanged: 2,
      unanswered: 0,
    })
    expect(seen.examples).toMatchObject([
      { id: 'a', kind: 'changed', before: { qid: 'Q1' }, after: { outcome: 'review', qid: 'Q2' } },
    ])
    expect(await results(project)).toEqual(first)

    await rescore(project, 2)
    expect(await results(project)).toEqual(['a review match-changed', ...first.slice(1)])
    const run = await latestRun(bench.db, project.id)
    const changes: unknown[] = []
    const runs = { projectId: project.id, from: 1, to: run?.number ?? 0 }
    expect(await diffRuns(bench.db, runs, (change) => changes.push(change))).toEqual(seen.counts)
    expect(changes).toEqual(seen.examples)
    expect(service.requests).toHaveLength(asked)
  })

  it('never lets a match go to another item in silence, however often it is decided', async () => {
    const { bench } = server
    const project = await matched()
    await reviseSettings(bench.db, project, { mapping: byColumn('second') })
    await (await bench.start(project.id, { settingsRevision: 2 })).result()
    const reason = async () =>
      (
        await bench.db
          .selectFrom('result')
          .where('project_id', '=', project.id)
          .where('external_id', '=', 'a')
          .select('reason')
          .executeTakeFirstOrThrow()
      ).reason
    expect(await reason()).toMatch(/^Perhaps Q2 Berlin: .* matched with Q1 Berlin before/)
    await rescore(project, 2)
    expect(await reason()).toMatch(/^Perhaps Q2 Berlin: .* matched with Q1 Berlin before/)
  })

  it('leaves what a person judged, and what nobody has decided yet', async () => {
    const { bench } = server
    const project = await createTestProject(bench.db, server.ownAddress(), records, {
      mapping: byColumn('first'),
    })
    await (await bench.start(project.id, { options: { limit: 2 } })).result()
    await judge(project, 'a', 'match', 'Q9')
    await reviseSettings(bench.db, project, { thresholds: { match: 101, review: 35, lead: 10 } })
    expect((await preview(project)).counts).toMatchObject({ lost: 1 })
    await rescore(project, 2)
    expect(await results(project)).toEqual([
      'a matched Q9 judgment',
      'b review score-too-low',
      'c new',
    ])
  })

  it('bars a candidate that a person rejected, be the judgment taken back', async () => {
    const project = await matched()
    await judge(project, 'a', 'none_fits')
    await judge(project, 'a', 'undo')
    await rescore(project, 1)
    expect((await results(project))[0]).toBe('a review rejected-before')
    await judge(project, 'b', 'match', 'Q1')
    await judge(project, 'b', 'undo')
    await rescore(project, 1)
    expect((await results(project))[1]).toBe('b matched Q1 score-and-lead')
    // Nobody said anything against the right item, only once by mistake for another.
    await judge(project, 'b', 'match', 'Q9')
    await judge(project, 'b', 'undo')
    await rescore(project, 1)
    expect((await results(project))[1]).toBe('b matched Q1 score-and-lead')
  })

  it('leaves a record as it was whose questions nobody asked, and the next start asks them', async () => {
    const { bench, service } = server
    const project = await matched()
    await reviseSettings(bench.db, project, { limit: 5 })
    expect(await preview(project)).toMatchObject({ unanswered: 3, unchanged: 0 })
    const asked = service.requests.length
    await rescore(project, 2)
    expect(service.requests).toHaveLength(asked)
    expect(await results(project)).toEqual(first)
    const run = await latestRun(bench.db, project.id)
    expect(await countUnanswered(bench.db, run?.id ?? 0)).toBe(3)
    await (await bench.start(project.id, { settingsRevision: 2 })).result()
    expect(service.requests.length).toBeGreaterThan(asked)
  })

  it('that is cancelled leaves every record its result, which it shows meanwhile too', async () => {
    const { bench } = server
    const { db } = bench
    const project = await matched()
    const run = await latestRun(db, project.id)
    // Dealing waits for this lock, so the run is cancelled between queueing and deciding.
    const { handle, meanwhile } = await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${(run?.id ?? 0) + 1}::bigint)`.execute(tx)
      const started = await bench.start(project.id, { options: { rescore: true } })
      await vi.waitFor(async () => expect(await queuedOf(project)).toBe(3), { timeout: 60_000 })
      await started.cancel()
      return { handle: started, meanwhile: await results(project) }
    })
    await handle.result().catch(() => undefined)
    expect(meanwhile).toEqual(first)
    expect(await queuedOf(project)).toBe(0)
    expect((await latestRun(db, project.id))?.status).toBe('cancelled')
    expect(await results(project)).toEqual(first)
  })
})

describe('a start with --only', () => {
  it('takes up the records that stand so, decided ones too, and no others', async () => {
    const { bench } = server
    const project = await matched()
    const options = { ...defaultRunOptions, only: ['no_candidate', 'failed'] as const }
    const { due } = await countDue(bench.db, {
      projectId: project.id,
      revision: 1,
      runId: null,
      options,
    })
    expect(due).toMatchObject({ picked: 1, new: 0, changed_settings: 0 })
    await (await bench.start(project.id, { options })).result()
    expect((await latestRun(bench.db, project.id))?.plan).toMatchObject({ queued: 1 })
    expect(await results(project)).toEqual(first)
  })
})

async function judge(
  { id }: TestProject,
  externalId: string,
  verdict: 'match' | 'none_fits' | 'undo',
  qid: string | null = null,
): Promise<void> {
  const said = {
    line: 1,
    externalId,
    verdict,
    qid,
    by: 'ada',
    at: null,
    note: null,
    matchHash: null,
  }
  expect((await appendJudgments(server.bench.db, id, [said])).written).toBe(1)
}
