import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { matchTaskId } from '../../../src/core/workflow-ids.ts'
import { appendJudgments } from '../../../src/db/judgments.repo.ts'
import { countDue } from '../../../src/db/due-subjects.ts'
import {
  answerByName,
  answerEach,
  type FakeAnswer,
  type FakeRequest,
  manifestAnswer,
} from '../../support/fake-reconciliation-service.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

const DAY_MS = 86_400_000
const monthOld = { options: { refreshOlderThanMs: 30 * DAY_MS } }

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer({ random: () => 0 })
})
afterAll(() => server.close())
afterEach(() => server.service.respond(answerByName))

/** A project whose records have been matched. */
async function matchedProject(...names: readonly string[]): Promise<TestProject> {
  const records = names.map((name, index) => ({ id: `r${index}`, name, country: 'NL' }))
  const project = await createTestProject(server.bench.db, server.ownAddress(), records, {
    mapping: { name: 'name', variants: [], properties: [] },
  })
  await run(project)
  return project
}

async function run(project: TestProject, start: Parameters<typeof server.bench.start>[1] = {}) {
  await (await server.bench.start(project.id, start)).result()
}

/** As if what is stored for these names had been answered so many days ago. */
async function ageAnswers(project: TestProject, days: number, ...names: readonly string[]) {
  await sql`
    update lookup set answered_at = answered_at - ${days}::integer * interval '1 day'
    where service = ${project.settings.service} and query->>'query' = any(${names}::text[])`.execute(
    server.bench.db,
  )
}

async function askedIn(act: () => Promise<void>): Promise<readonly (string | undefined)[]> {
  const before = server.service.requests.length
  await act()
  return server.service.requests
    .slice(before)
    .flatMap(({ queries }) => Object.values(queries ?? {}).map(({ query }) => query))
    .toSorted()
}

function resultsOf(project: TestProject) {
  return server.bench.db
    .selectFrom('result')
    .where('project_id', '=', project.id)
    .select(['external_id', 'match_status', 'match_qid', 'error_code', 'error_message', 'stale'])
    .orderBy('position')
    .execute()
}

/** One item of its own for each name, described so. */
function describedAs(text: string): (request: FakeRequest) => FakeAnswer {
  return (request) =>
    request.queries === null
      ? manifestAnswer(request)
      : answerEach(request, ({ query = '' }) => [
          { id: `Q-${query}`, name: query, description: text, score: 100, match: true, type: [] },
        ])
}

describe('--refresh-older-than', () => {
  it('asks again what was answered longer ago, and nothing else', async () => {
    const project = await matchedProject('Berlin', 'Paris', 'Amsterdam')
    await ageAnswers(project, 40, 'Berlin')
    await ageAnswers(project, 20, 'Paris')
    expect(await askedIn(() => run(project))).toEqual([])
    expect(await askedIn(() => run(project, monthOld))).toEqual(['Berlin'])
    expect(await askedIn(() => run(project, monthOld))).toEqual([])
  })

  it('decides on the new answer', async () => {
    server.service.respond(describedAs('as it was'))
    const project = await matchedProject('Nowhere')
    await ageAnswers(project, 40, 'Nowhere')
    server.service.respond((request) =>
      request.queries === null ? manifestAnswer(request) : answerEach(request, () => []),
    )
    await run(project, monthOld)
    expect(await resultsOf(project)).toMatchObject([{ match_status: 'no_candidate' }])
  })

  it('leaves an answer that could not be renewed in use, says so, and tries again next time', async () => {
    const project = await matchedProject('Berlin', 'Paris')
    await ageAnswers(project, 40, 'Berlin', 'Paris')
    server.service.respond((request) =>
      request.queries === null
        ? manifestAnswer(request)
        : Object.values(request.queries).some(({ query }) => query === 'Berlin')
          ? { status: 400, json: {} }
          : answerByName(request),
    )
    await run(project, monthOld)
    expect(await resultsOf(project)).toMatchObject([
      {
        match_status: 'matched',
        match_qid: 'Q64',
        error_code: 'refresh_failed',
        error_message: expect.stringMatching(
          /^The answer of \d{4}-\d\d-\d\d stays in use/,
        ) as string,
      },
      { match_status: 'matched', match_qid: 'Q90', error_code: null },
    ])
    const kept = await server.bench.db
      .selectFrom('lookup')
      .where('service', '=', project.settings.service)
      .where('refresh_failed_at', 'is not', null)
      .select(['status', 'answer', 'error_code'])
      .execute()
    expect(kept).toMatchObject([{ status: 'answered', error_code: 'bad_request' }])
    expect(kept[0]?.answer?.candidates).toHaveLength(1)

    server.service.respond(answerByName)
    expect(await askedIn(() => run(project, monthOld))).toEqual(['Berlin'])
    expect(await resultsOf(project)).toMatchObject([{ error_code: null }, { error_code: null }])
  })

  it('never changes what was judged, and flags it stale only if the item changed', async () => {
    server.service.respond(describedAs('a city'))
    const project = await matchedProject('Same', 'Other', 'Free')
    const said = {
      line: 1,
      verdict: 'match',
      by: 'me',
      at: null,
      note: null,
      matchHash: null,
    } as const
    await appendJudgments(server.bench.db, project.id, [
      { ...said, externalId: 'r0', qid: 'Q-Same' },
      { ...said, externalId: 'r1', qid: 'Q-Other' },
    ])
    const judgedRows = () =>
      server.bench.db
        .selectFrom('result')
        .where('project_id', '=', project.id)
        .where('judgment_id', 'is not', null)
        .selectAll()
        .orderBy('position')
        .execute()
    const before = await judgedRows()
    await ageAnswers(project, 40, 'Same', 'Other', 'Free')
    server.service.respond((request) => {
      const isOther = Object.values(request.queries ?? {}).some(({ query }) => query === 'Other')
      return describedAs(isOther ? 'a village' : 'a city')(request)
    })
    const asked = await askedIn(() =>
      run(project, { options: { ...monthOld.options, entriesPerTask: 1 } }),
    )
    expect(asked).toEqual(['Free', 'Other', 'Same'])
    const after = await judgedRows()
    expect(after.map(({ stale }) => stale)).toEqual([false, true])
    const unmoved = (row: (typeof after)[number]) => ({ ...row, run_id: null, stale: null })
    expect(after.map(unmoved)).toEqual(before.map(unmoved))

    // Judged afresh, with the change seen.
    await appendJudgments(server.bench.db, project.id, [
      { ...said, externalId: 'r1', qid: 'Q-Other', note: 'looked at again' },
    ])
    expect((await judgedRows()).map(({ stale }) => stale)).toEqual([false, false])
  })

  it('shows the old match while it runs and after a cancel, and the next start takes up what came', async () => {
    server.service.respond(describedAs('first'))
    const project = await matchedProject('Came', 'Hangs')
    await ageAnswers(project, 40, 'Came', 'Hangs')
    const matched = [
      { match_status: 'matched', match_qid: 'Q-Came' },
      { match_status: 'matched', match_qid: 'Q-Hangs' },
    ]
    server.service.respond((request) => {
      // One at a time: the first answer is stored before the second question is sent.
      if (request.queries === null) return manifestAnswer(request, { batchSize: 1 })
      const asked = Object.values(request.queries).map(({ query }) => query)
      if (asked.includes('Hangs')) return { hang: 'before_headers' }
      return answerEach(request, () => [])
    })
    const handle = await server.bench.start(project.id, {
      options: { ...monthOld.options, entriesPerTask: 2 },
    })
    await server.service.until(() =>
      server.service.requests.some(
        (request) =>
          request.path.startsWith(new URL(project.settings.service).pathname) &&
          Object.values(request.queries ?? {}).some(({ query }) => query === 'Hangs') &&
          !request.answered &&
          !request.aborted,
      ),
    )
    expect(await resultsOf(project)).toMatchObject(matched)
    await handle.cancel()
    await handle.result().catch(() => undefined)
    expect(await resultsOf(project)).toMatchObject(matched)

    const before = server.service.requests.length
    await run(project)
    expect(server.service.requests.length).toBe(before)
    expect(await resultsOf(project)).toMatchObject([{ match_status: 'no_candidate' }, matched[1]])
  })

  it('loses no match when somebody terminates a task of it', async () => {
    const { bench, service } = server
    const project = await matchedProject('Berlin')
    await ageAnswers(project, 40, 'Berlin')
    const before = service.requests.length
    service.respond((request) =>
      request.queries === null ? manifestAnswer(request) : { hang: 'before_headers' },
    )
    const handle = await bench.start(project.id, monthOld)
    await service.until(() =>
      service.requests.slice(before).some(({ queries }) => queries !== null),
    )
    const { number } = await bench.db
      .selectFrom('run')
      .where('project_id', '=', project.id)
      .where('status', '=', 'open')
      .select('number')
      .executeTakeFirstOrThrow()
    await bench.client.workflow.getHandle(matchTaskId(project.id, number, 1)).terminate()
    await handle.result()
    expect(await resultsOf(project)).toMatchObject([
      {
        match_status: 'matched',
        match_qid: 'Q64',
        error_code: 'refresh_failed',
        error_message: expect.stringContaining('terminated') as string,
      },
    ])
  })

  it('makes the records of another project due that share an answer which is another now', async () => {
    const { db } = server.bench
    const first = await matchedProject('Berlin')
    const second = await createTestProject(
      db,
      first.settings.service,
      [{ id: 'x', name: 'Berlin' }],
      { mapping: first.settings.mapping },
    )
    expect(await askedIn(() => run(second))).toEqual([])
    const question = { projectId: second.id, revision: 1, runId: null, options: defaultRunOptions }
    const renew = async () => {
      await ageAnswers(first, 40, 'Berlin')
      expect(await askedIn(() => run(first, monthOld))).toEqual(['Berlin'])
    }
    await renew()
    expect((await countDue(db, question)).due).toMatchObject({ new_answers: 0 })
    server.service.respond((request) =>
      request.queries === null ? manifestAnswer(request) : answerEach(request, () => []),
    )
    await renew()
    expect((await countDue(db, question)).due).toMatchObject({ new_answers: 1 })
    expect(await askedIn(() => run(second))).toEqual([])
    expect((await countDue(db, question)).due).toMatchObject({ new_answers: 0 })
  })
})

it('an answer keeps its age, its language and which version of the service it is from', async () => {
  server.service.respond((request) =>
    request.queries === null
      ? manifestAnswer(request, { serviceVersion: '2026-11' })
      : { ...answerByName(request), headers: { 'content-language': 'nl' } },
  )
  const project = await matchedProject('Berlin')
  const row = await server.bench.db
    .selectFrom('lookup as l')
    .innerJoin('service_version as v', 'v.id', 'l.service_version_id')
    .where('l.service', '=', project.settings.service)
    .select(['l.language', 'l.answered_at', 'v.about'])
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    language: 'nl',
    about: {
      name: 'Fake cities',
      versions: ['0.2'],
      serviceVersion: '2026-11',
      identifierSpace: 'http://www.wikidata.org/entity/',
      batchSize: 10,
    },
  })
  expect(Date.now() - (row.answered_at?.getTime() ?? 0)).toBeLessThan(DAY_MS)
})
