import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../../../src/db/connect.ts'
import { countProject, countRequests } from '../../../src/db/run-progress.repo.ts'
import { latestRun } from '../../../src/db/runs.repo.ts'
import {
  answerByName,
  answerEach,
  type FakeService,
  manifestAnswer,
} from '../../support/fake-reconciliation-service.ts'
import {
  createTestProject,
  putRecords,
  reviseSettings,
  type TestRecord,
} from '../../support/match-project-rows.ts'
import type { MatchBench } from '../../support/match-bench.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
let bench: MatchBench
let db: Db
let service: FakeService
const ownAddress = () => server.ownAddress()

beforeAll(async () => {
  server = await startMatchServer()
  ;({ bench, service } = server)
  db = bench.db
})
afterAll(() => server.close())

const cities: readonly TestRecord[] = ['Amsterdam', 'Berlin', 'Utrecht', 'Nowhere', ''].map(
  (name, index) => ({ id: `r${index}`, name, variants: '' }),
)

async function results(projectId: number) {
  const rows = await db
    .selectFrom('result')
    .where('project_id', '=', projectId)
    .select(['external_id', 'match_status', 'match_qid', 'error_code'])
    .orderBy('position')
    .execute()
  return rows.map((row) =>
    [row.external_id, row.match_status, row.match_qid ?? row.error_code].join(' ').trim(),
  )
}

describe('a match run', () => {
  it('decides every record and asks nothing the second time', async () => {
    const project = await createTestProject(db, ownAddress(), cities)
    await (await bench.start(project.id)).result()
    expect(await results(project.id)).toEqual([
      'r0 matched Q727',
      'r1 matched Q64',
      'r2 review',
      'r3 no_candidate',
      'r4 skipped',
    ])
    const before = service.requests.length
    await (await bench.start(project.id)).result()
    const again = service.requests.slice(before).filter((request) => request.queries !== null)
    expect(again).toEqual([])
    expect((await latestRun(db, project.id))?.status).toBe('completed')
  })

  it('case 9: asks equal rows once, and equal names with other sent cells apart', async () => {
    const records = [
      { id: 'a', name: 'History museum', city: 'Varna' },
      { id: 'b', name: 'History museum', city: 'Nesebar' },
      { id: 'c', name: 'History museum', city: 'Varna' },
    ]
    const project = await createTestProject(db, ownAddress(), records, {
      mapping: {
        name: 'name',
        variants: [],
        properties: [{ pid: 'P131', columns: ['city'], kind: 'item', use: 'send' }],
      },
    })
    service.respond((request) =>
      request.queries === null
        ? manifestAnswer(request)
        : answerEach(request, (query) => [
            {
              id: query.properties?.[0]?.v === 'Varna' ? 'Q1' : 'Q2',
              name: 'History museum',
              score: 100,
              match: true,
            },
          ]),
    )
    const before = service.requests.length
    await (await bench.start(project.id)).result()
    service.respond(answerByName)
    const asked = service.requests
      .slice(before)
      .flatMap((request) => Object.values(request.queries ?? {}))
    expect(asked).toHaveLength(2)
    expect(await results(project.id)).toEqual(['a matched Q1', 'b matched Q2', 'c matched Q1'])
  })

  it('tries variants only while undecided', async () => {
    const records = [
      { id: 'a', name: 'Berlin', variants: 'Paris' },
      { id: 'b', name: 'City of Light', variants: 'Lutetia|Paris' },
    ]
    const project = await createTestProject(db, ownAddress(), records)
    const before = service.requests.length
    await (await bench.start(project.id)).result()
    const asked = service.requests
      .slice(before)
      .flatMap((request) => Object.values(request.queries ?? {}))
      .map(({ query }) => query)
    // "Paris" is asked for b only: a was decided by its main name.
    expect(asked.toSorted()).toEqual(['Berlin', 'City of Light', 'Lutetia', 'Paris'].toSorted())
    expect(await results(project.id)).toEqual(['a matched Q64', 'b matched Q90'])
  })

  it('redoes exactly the records whose mapped cells changed', async () => {
    const project = await createTestProject(db, ownAddress(), cities)
    await (await bench.start(project.id)).result()
    await putRecords(db, project.datasetId, [{ id: 'r0', name: 'Vienna', variants: '' }])
    const before = service.requests.length
    await (await bench.start(project.id)).result()
    const asked = service.requests
      .slice(before)
      .flatMap((request) => Object.values(request.queries ?? {}))
    expect(asked.map(({ query }) => query)).toEqual(['Vienna'])
    expect((await results(project.id))[0]).toBe('r0 matched Q1741')
  })

  it('redoes the records decided under older settings, without asking again', async () => {
    const project = await createTestProject(db, ownAddress(), cities)
    await (await bench.start(project.id)).result()
    await reviseSettings(db, project, { thresholds: { match: 101, review: 35, lead: 10 } })
    const before = service.requests.length
    await (await bench.start(project.id, { settingsRevision: 2 })).result()
    const asked = service.requests.slice(before).filter((request) => request.queries !== null)
    expect(asked).toEqual([])
    expect((await latestRun(db, project.id))?.plan).toMatchObject({ dueForSettings: 5 })
    expect((await countProject(db, project.id)).matched).toBe(0)
  })

  it('never changes a judged record, and flags it when its row changed since', async () => {
    const project = await createTestProject(db, ownAddress(), cities)
    await (await bench.start(project.id)).result()
    const subject = await db
      .selectFrom('subject as s')
      .innerJoin('entry as e', 'e.id', 's.entry_id')
      .where('s.project_id', '=', project.id)
      .where('e.external_id', '=', 'r0')
      .select(['s.id', 's.match_hash'])
      .executeTakeFirstOrThrow()
    await db
      .insertInto('judgment')
      .values({
        subject_id: subject.id,
        verdict: 'match',
        external_id: 'Q9899',
        judged_by: 'ada',
        match_hash: subject.match_hash,
        note: null,
        undoes: null,
      })
      .execute()
    await putRecords(db, project.datasetId, [{ id: 'r0', name: 'Vienna', variants: '' }])
    await (await bench.start(project.id)).result()
    const row = await db
      .selectFrom('result')
      .where('subject_id', '=', subject.id)
      .select(['match_qid', 'match_by', 'stale'])
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ match_qid: 'Q9899', match_by: 'ada', stale: true })
  })

  it('case 18: a batch that answers 504 and then works leaves nobody unmatched', async () => {
    const project = await createTestProject(db, ownAddress(), cities)
    service.respondOnce(manifestAnswer, { status: 504 }, { status: 504 })
    await (await bench.start(project.id)).result()
    expect((await results(project.id)).slice(0, 2)).toEqual(['r0 matched Q727', 'r1 matched Q64'])
  })

  it('case 15: a key that never gets an answer is FAILED and not "no match"', async () => {
    const project = await createTestProject(db, ownAddress(), cities)
    service.respond((request) => {
      if (request.queries === null) return manifestAnswer(request)
      const answer = answerByName(request) as { json: Record<string, unknown> }
      const silent = Object.entries(request.queries)
        .filter(([, query]) => query.query === 'Berlin')
        .map(([key]) => key)
      const json = Object.fromEntries(
        Object.entries(answer.json).filter(([key]) => !silent.includes(key)),
      )
      return { json }
    })
    await (await bench.start(project.id, { options: { maxAttempts: 1 } })).result()
    service.respond(answerByName)
    expect(await results(project.id)).toEqual([
      'r0 matched Q727',
      'r1 failed malformed_answer',
      'r2 review',
      'r3 no_candidate',
      'r4 skipped',
    ])
    const run = await latestRun(db, project.id)
    expect((await countRequests(db, run?.id ?? 0)).sent).toBeGreaterThan(1)
  })

  it('retry-failed asks exactly the failed ones', async () => {
    const project = await createTestProject(db, ownAddress(), cities)
    service.respond((request) =>
      request.queries === null ? manifestAnswer(request) : { status: 400, json: {} },
    )
    await (await bench.start(project.id, { options: { maxAttempts: 1 } })).result()
    service.respond(answerByName)
    expect((await countProject(db, project.id)).failed).toBe(4)
    await (await bench.start(project.id)).result()
    expect((await countProject(db, project.id)).failed).toBe(4)
    await (await bench.start(project.id, { options: { retryFailed: true } })).result()
    expect((await countProject(db, project.id)).failed).toBe(0)
  })

  it('takes the first records of the file with a limit, and marks the run as a sample', async () => {
    const project = await createTestProject(db, ownAddress(), cities)
    await (await bench.start(project.id, { options: { limit: 2 } })).result()
    expect((await results(project.id)).map((row) => row.split(' ')[1])).toEqual([
      'matched',
      'matched',
      'new',
      'new',
      'new',
    ])
    expect((await latestRun(db, project.id))?.isSample).toBe(true)
  })

  it('splits a large run into shards, with the same result', async () => {
    const records = Array.from({ length: 40 }, (_, index) => ({
      id: `r${index}`,
      name: index % 2 === 0 ? 'Berlin' : 'Paris',
      variants: '',
    }))
    const project = await createTestProject(db, ownAddress(), records)
    const handle = await bench.start(project.id, {
      options: { entriesPerTask: 1 },
      sizes: { tasksPerShard: 7, shardsInFlight: 2, shardsPerExecution: 2, window: 6 },
    })
    await handle.result()
    expect((await countProject(db, project.id)).matched).toBe(40)
    const runs = await db
      .selectFrom('task')
      .innerJoin('run', 'run.id', 'task.run_id')
      .where('run.project_id', '=', project.id)
      .select('task.status')
      .execute()
    expect(runs).toHaveLength(40)
    expect(runs.every(({ status }) => status === 'done')).toBe(true)
  })
})
