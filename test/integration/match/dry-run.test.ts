import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  dryRunReport,
  type DryRunReport,
} from '../../../src/client/match/dry-run/dry-run-report.ts'
import { dryRunText } from '../../../src/client/match/dry-run/dry-run-text.ts'
import { defaultRunOptions, type RunOptions } from '../../../src/core/run.ts'
import { saveSnapshot, setDomainPause } from '../../../src/db/domain-limits.repo.ts'
import { readOnly } from '../../../src/db/read-only.ts'
import { findProject } from '../../../src/db/projects.repo.ts'
import { answerByName } from '../../support/fake-reconciliation-service.ts'
import {
  createTestProject,
  putRecords,
  type TestProject,
  type TestRecord,
} from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
})
afterAll(() => server.close())
afterEach(() => server.service.respond(answerByName))

const mapping = {
  name: 'name',
  variants: [{ column: 'also', separator: '|' }],
  properties: [
    { pid: 'P17', columns: ['country'], kind: 'text', use: 'send' },
    { pid: 'P571', columns: ['founded'], kind: 'date', use: 'compare' },
    { pid: 'P9', columns: ['remark'], kind: 'text', use: 'keep' },
  ],
} as const

function row(id: string, name: string, also = ''): TestRecord {
  return { id, name, also, country: 'NL', founded: '1275', remark: 'r', phone: '0' }
}

async function makeProject(...records: readonly TestRecord[]): Promise<TestProject> {
  return createTestProject(server.bench.db, server.ownAddress(), records, { mapping })
}

async function look(
  { id, settings }: TestProject,
  options: Partial<RunOptions> = {},
  refreshBefore: Date | null = null,
): Promise<DryRunReport> {
  const { db } = server.bench
  const project = await findProject(db, id)
  if (project === undefined) throw new Error('expected the project')
  return dryRunReport(db, {
    project,
    options: { ...defaultRunOptions, ...options },
    refreshBefore,
    url: settings.service,
    limitsFile: { path: '', entries: [], problems: [] },
    identity: { contact: undefined, version: '0.0.0-test' },
  })
}

async function run(project: TestProject, options: Partial<RunOptions> = {}): Promise<void> {
  await (await server.bench.start(project.id, { options })).result()
}

describe('start-match --dry-run', () => {
  it('tells which lookups would be asked, and why their records are due', async () => {
    const project = await makeProject(
      row('1', 'Amsterdam', 'Mokum|Damsko'),
      row('2', 'Amsterdam'),
      row('3', 'Berlin'),
      row('4', '  '),
    )
    expect(await look(project)).toMatchObject({
      openRun: null,
      due: { due: { new: 4 } },
      questions: {
        records: 4,
        recordsWithoutName: 1,
        recordsToAsk: 3,
        distinct: 4,
        answered: 0,
        toAsk: 2,
        onlyIfUndecided: 2,
      },
      // The manifest, then both names together; a third for further names.
      requests: { least: 2, most: 3 },
      batchSize: { questions: 10, isAssumed: true },
    })

    await run(project)
    expect(await look(project)).toMatchObject({
      questions: { records: 0, distinct: 0 },
      requests: { least: 0, most: 0 },
      services: [{ firstRequest: null, about: { name: 'Fake cities' } }],
    })
    await putRecords(server.bench.db, project.datasetId, [row('1', 'Paris'), row('2', 'Berlin')])
    expect(await look(project)).toMatchObject({
      due: { due: { new: 0, changed_cells: 2 } },
      questions: { records: 2, distinct: 2, answered: 1, toAsk: 1 },
      batchSize: { isAssumed: false },
    })
    expect((await look(project, { limit: 1 })).questions).toMatchObject({ records: 1, toAsk: 1 })
  })

  it('counts the answers that a refresh would renew, as old as they are now', async () => {
    const project = await makeProject(row('1', 'Amsterdam'), row('2', 'Berlin'))
    await run(project)
    await sql`
      update lookup set answered_at = answered_at - interval '40 days'
      where service = ${project.settings.service} and query->>'query' = 'Berlin'`.execute(
      server.bench.db,
    )
    const monthAgo = new Date(Date.now() - 30 * 86_400_000)
    expect(await look(project, {}, monthAgo)).toMatchObject({
      due: { due: { old_answers: 1 } },
      questions: { records: 1, distinct: 1, answered: 0, toAsk: 1, toRefresh: 1 },
    })
  })

  it('shows which columns leave this machine, with examples, and which stay', async () => {
    const project = await makeProject(row('1', 'Amsterdam', 'Mokum|Damsko'), row('2', 'Berlin'))
    const report = await look(project)
    expect(report.services[0]).toMatchObject({
      host: server.service.domain,
      sent: [
        {
          columns: ['name'],
          as: 'query',
          onlyIfUndecided: false,
          examples: ['Amsterdam', 'Berlin'],
        },
        { columns: ['also'], as: 'query', onlyIfUndecided: true, examples: ['Mokum', 'Damsko'] },
        { columns: ['country'], as: 'property P17', onlyIfUndecided: false, examples: ['NL'] },
      ],
      kept: [
        { column: 'id', use: 'keep' },
        { column: 'founded', use: 'compare' },
        { column: 'remark', use: 'keep' },
        { column: 'phone', use: 'keep' },
      ],
    })
    const text = dryRunText(report)
    expect(text).toContain(`Sent to ${server.service.domain}`)
    expect(text).toContain('Compared on this machine only: founded')
    expect(text).toContain('Nothing was sent, nothing was written.')
    expect(text).not.toContain('1275')
  })

  it('shows the first request exactly as it is sent later', async () => {
    const names = ['Rome', 'Amsterdam', 'Berlin', 'Amsterdam', 'Paris', 'Madrid', 'Vienna']
    const more = ['Lisbon', 'Dublin', 'Oslo', 'Bern', 'Prague', 'Warsaw', 'Athens', 'Riga']
    const project = await makeProject(
      ...[...names, ...more].map((name, at) => row(String(at), name, `${name} too`)),
    )
    const shown = (await look(project)).services[0]?.firstRequest
    const path = new URL(project.settings.service).pathname
    await run(project)
    const posts = server.service.requests.filter(
      (request) => request.path === path && request.method === 'POST',
    )
    const sent = posts.find(({ body }) => body === shown?.body)
    expect(sent).toBeDefined()
    expect(Object.values(sent?.queries ?? {}).map(({ query }) => query)).toEqual([
      ...new Set(names),
      ...more.slice(0, 4),
    ])
    expect(shown).toMatchObject({ method: 'POST', url: project.settings.service })
    expect(shown?.headers).toEqual(sent?.headers)
  })

  it('tells the duration at the present rate of the domain, else at that of its policy', async () => {
    const { db } = server.bench
    const records = Array.from({ length: 95 }, (_, at) => row(String(at), `Town ${at}`))
    const project = await createTestProject(db, 'http://rate.example.org/api', records, { mapping })
    // Ten requests and the manifest, from one a second.
    expect(await look(project)).toMatchObject({
      rate: { domain: 'rate.example.org', from: 'policy', pausedBecause: null },
      requests: { least: 11 },
      durationMs: { least: 11_000 },
    })
    const snapshot = {
      domain: 'rate.example.org',
      fillRate: 2,
      tokens: 0,
      avgLatency: 100,
      p95Latency: null,
      errorRate: 0,
      state: 'closed',
      consecutiveFails: 0,
      nextEarliest: 0,
      strategy: 'adaptive',
      mode: 'hold',
      inFlight: 0,
      inFlightCap: 4,
      waiting: 0,
      totalRequests: 9,
      throttledRequests: 0,
      denied: 0,
      retries: 0,
      refusedRequests: 0,
      hold: null,
      parkedForMs: null,
      pausedBecause: null,
      workers: 1,
    } as const
    await saveSnapshot(db, snapshot)
    expect(await look(project)).toMatchObject({
      rate: { from: 'snapshot' },
      durationMs: { least: 5_500 },
    })
    await setDomainPause(db, 'rate.example.org', 'night')
    const paused = await look(project)
    expect(paused.durationMs).toBeNull()
    expect(dryRunText(paused)).toContain('rate.example.org is paused: night')
  })

  it('sends nothing, and looks in a transaction in which nothing can be written', async () => {
    const { db } = server.bench
    const project = await makeProject(row('1', 'Amsterdam'))
    const before = server.service.requests.length
    await look(project)
    expect(server.service.requests.length).toBe(before)
    const subjects = db.selectFrom('subject').where('project_id', '=', project.id).selectAll()
    expect(await subjects.execute()).toEqual([])
    const write = readOnly(db, (tx) => tx.deleteFrom('run').execute())
    await expect(write).rejects.toThrow('read-only transaction')
  })
})
