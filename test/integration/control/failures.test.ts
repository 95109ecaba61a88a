/** `failures`, `skip` and `retry-failed` of some: what failed is asked again or set aside, and nothing else is touched. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { FailedPick } from '../../../src/core/run.ts'
import { countDue } from '../../../src/db/due-subjects.ts'
import { failureGroups } from '../../../src/db/failures.repo.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { findProject } from '../../../src/db/projects.repo.ts'
import { type Cli, createCli } from '../../support/cli.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import {
  createTestProject,
  putRecords,
  type TestProject,
} from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
let cli: Cli
beforeAll(async () => {
  server = await startMatchServer()
  cli = createCli({
    DATABASE_URL: server.options.databaseUrl,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
  })
})
afterAll(async () => {
  await server.close()
  await cli.remove()
})

const records = [
  { id: 'a 1', name: 'Refused' },
  { id: 'a2', name: 'Berlin' },
  { id: 'a3', name: 'Broken' },
  { id: 'a4', name: 'Refused too' },
]
const mapping = { name: 'name', variants: [], properties: [] }
let project: TestProject

/** Two records fail of `bad_request`, one of `server_error`. */
beforeEach(async () => {
  const { bench, service } = server
  project = await createTestProject(bench.db, server.ownAddress(), records, { mapping })
  service.respond((request) => {
    if (request.queries === null) return manifestAnswer(request)
    const names = Object.values(request.queries).map(({ query }) => query ?? '')
    if (names.some((name) => name.startsWith('Refused'))) return { status: 400, json: {} }
    return names.includes('Broken') ? { status: 500, json: {} } : answerByName(request)
  })
  const options = { entriesPerTask: 1, maxAttempts: 1 }
  await (await bench.start(project.id, { options })).result()
  service.respond(answerByName)
})

const flags = () => ['--project', String(project.id)]
const statusOf = async () => {
  const rows = await server.bench.db
    .selectFrom('result')
    .where('project_id', '=', project.id)
    .select(['external_id', 'match_status', 'match_by', 'reason'])
    .orderBy('external_id')
    .execute()
  return rows
}
const statuses = async () => (await statusOf()).map((row) => row.match_status)
const retry = async (failed: FailedPick) => {
  const options = { retryFailed: true, failed }
  await (await server.bench.start(project.id, { options })).result()
}
const due = async (options: Partial<typeof defaultRunOptions> = {}) => {
  const { db } = server.bench
  const known = await findProject(db, project.id)
  if (known === undefined) throw new Error('The project is gone.')
  await refreshSubjects(db, known)
  const question = { projectId: project.id, revision: known.revision, runId: null }
  return (await countDue(db, { ...question, options: { ...defaultRunOptions, ...options } })).due
}

describe('failures', () => {
  it('groups by code, with a count, an example and the next command', async () => {
    const groups = JSON.parse(await cli.data('failures', ...flags(), '-o', 'json'))
    expect(groups).toMatchObject([
      { code: 'bad_request', count: 2, example: { entry: 'a 1' } },
      { code: 'server_error', count: 1, example: { entry: 'a3' } },
    ])
    expect(groups[0].next).toContain(
      `./record-linker explain --project ${project.id} --entry 'a 1'`,
    )
    expect(groups[1].next[0]).toBe(
      `./record-linker retry-failed --project ${project.id} --code server_error`,
    )
    const { stdout, stderr } = await cli.run('failures', ...flags())
    expect(stdout).toContain('2 failed: bad_request')
    expect(stderr).toContain(`retry-failed --project ${project.id}`)
  })

  it('leaves out what a person has judged', async () => {
    const { db } = server.bench
    const subject = await db
      .selectFrom('result')
      .where('project_id', '=', project.id)
      .where('external_id', '=', 'a3')
      .select('subject_id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('judgment')
      .values({
        subject_id: subject.subject_id,
        verdict: 'not_applicable',
        external_id: null,
        judged_by: 'anna',
        match_hash: Buffer.from('00', 'hex'),
        note: null,
        undoes: null,
      })
      .execute()
    expect((await failureGroups(db, project.id)).map(({ code }) => code)).toEqual(['bad_request'])
  })
})

describe('retry-failed', () => {
  it('with a code takes up only what failed so', async () => {
    await putRecords(server.bench.db, project.datasetId, [{ id: 'a5', name: 'Paris' }])
    await retry({ codes: ['server_error'], subjectIds: null })
    expect(await statuses()).toEqual(['failed', 'matched', 'no_candidate', 'failed', 'new'])
  })

  it('with an entry takes up only that one', async () => {
    const [named] = await server.bench.db
      .selectFrom('result')
      .where('project_id', '=', project.id)
      .where('external_id', '=', 'a4')
      .select('subject_id')
      .execute()
    await retry({ codes: null, subjectIds: [named?.subject_id ?? 0] })
    expect(await statuses()).toEqual(['failed', 'matched', 'failed', 'no_candidate'])
  })

  it('with an entry and a code that do not fit each other takes up nothing', async () => {
    const { stderr, code } = await cli.run('retry-failed', ...flags(), '--entry', 'a2')
    expect(stderr).toContain('a2 stands as matched')
    expect(stderr).toContain('None of these records has failed')
    expect(code).toBe(3)
    const other = await cli.run('retry-failed', ...flags(), '--entry', 'a3', '--code', 'poison')
    expect(other.stderr).toContain('None of these records has failed')
    expect((await cli.run('retry-failed', ...flags(), '--entry', 'nobody')).code).toBe(2)
    expect(await statuses()).toEqual(['failed', 'matched', 'failed', 'failed'])
  })
})

describe('skip', () => {
  const skip = (...more: string[]) => cli.run('skip', ...flags(), '--by', 'anna', ...more)

  it('sets failed records aside: skipped, with who, when and why, and no longer failed', async () => {
    const { stdout } = await skip('--code', 'bad_request', '--reason', 'not a shop', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({ project: project.id, skipped: 2, by: 'anna' })
    expect((await statusOf())[0]).toEqual({
      external_id: 'a 1',
      match_status: 'skipped',
      match_by: 'anna',
      reason: 'Set aside: not a shop (it had failed: bad_request)',
    })
    const counts = await countProject(server.bench.db, project.id)
    expect(counts).toMatchObject({ failed: 1, skipped: 2, completed: 3 })
  })

  it('touches nothing that has not failed, and says so', async () => {
    const { code, stdout, stderr } = await skip('--entry', 'a2', '-o', 'json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ skipped: 0, entries: [] })
    expect(stderr).toContain('a2 stands as matched')
    expect(await statuses()).toEqual(['failed', 'matched', 'failed', 'failed'])
    expect((await skip()).code).toBe(2)
  })

  it('holds against new settings, a rescore and --only, but not against changed cells', async () => {
    await skip('--entry', 'a3')
    const { db } = server.bench
    await db
      .updateTable('subject')
      .set({ decided_revision: 0 })
      .where('project_id', '=', project.id)
      .execute()
    const aside = { only: ['skipped'] } as const
    expect(Object.values(await due(aside)).every((count) => count === 0)).toBe(true)
    expect(await due()).toMatchObject({ changed_settings: 1, failed: 0, set_aside: 0 })
    expect(await due({ rescore: true })).toMatchObject({ rescored: 1 })
    await putRecords(
      db,
      project.datasetId,
      records.map((one) => ({ ...one, name: `${one.name}!` })),
    )
    expect(await due()).toMatchObject({ changed_cells: 2 })
  })

  it('is taken back by a retry that names the record; the trace stays', async () => {
    await skip('--entry', 'a3')
    const { db } = server.bench
    const named = await db
      .selectFrom('result')
      .where('project_id', '=', project.id)
      .where('external_id', '=', 'a3')
      .select('subject_id')
      .executeTakeFirstOrThrow()
    await retry({ codes: null, subjectIds: [named.subject_id] })
    expect(await statuses()).toEqual(['failed', 'matched', 'no_candidate', 'failed'])
    const decisions = await db
      .selectFrom('decision')
      .where('subject_id', '=', named.subject_id)
      .orderBy('id')
      .select(['rule', 'decided_by', 'outcome'])
      .execute()
    expect(decisions).toMatchObject([
      { rule: 'set-aside', decided_by: 'anna', outcome: 'skipped' },
      { decided_by: null, outcome: 'no_candidate' },
    ])
  })
})
