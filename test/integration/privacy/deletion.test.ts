/** What is deleted with a project or dataset, and what others keep. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/config.ts'
import { deleteDataset } from '../../../src/db/datasets.repo.ts'
import { deleteProject, findProject } from '../../../src/db/projects.repo.ts'
import { writeRunLookups } from '../../../src/db/run-lookups.ts'
import { queueDueSubjects } from '../../../src/db/run-queue.ts'
import { openRun } from '../../../src/db/runs.repo.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { forgetUnusedAnswers } from '../../../src/db/unused-answers.repo.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { canariesIn } from '../../support/canaries.ts'
import { answerEach, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import {
  createTestProject,
  putRecords,
  type TestProject,
} from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

const mapping = { name: 'name', variants: [], properties: [] }

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
  server.service.respond((request) =>
    request.queries === null
      ? manifestAnswer(request)
      : answerEach(request, ({ query }) => [{ id: `Q-${query ?? ''}`, name: query, score: 100 }]),
  )
})
afterAll(() => server.close())

async function matchedProject(service: string, ...names: readonly string[]): Promise<TestProject> {
  const records = names.map((name, index) => ({ id: String(index), name }))
  const project = await createTestProject(server.bench.db, service, records, { mapping })
  await (await server.bench.start(project.id)).result()
  return project
}

async function remove({ id, datasetId }: TestProject): Promise<void> {
  const { db } = server.bench
  expect(await deleteProject(db, id)).toBe('deleted')
  await deleteDataset(db, datasetId)
}

function names(service: string) {
  return sql<{ name: string }>`
    select query->>'query' as name from lookup where service = ${service} order by 1`
    .execute(server.bench.db)
    .then(({ rows }) => rows.map(({ name }) => name))
}

async function tableNames(): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'`.execute(
    server.bench.db,
  )
  return rows.map(({ name }) => name)
}

/** The whole database as text. */
async function everything(): Promise<string> {
  const { db } = server.bench
  const texts = await Promise.all(
    (await tableNames()).map((name) =>
      sql<{ text: string | null }>`
        select string_agg(t::text, ' ') as text from ${sql.table(name)} t`.execute(db),
    ),
  )
  return texts.map(({ rows }) => rows[0]?.text ?? '').join('\n')
}

describe('with its project and dataset', () => {
  it('every trace of a name goes, in every table', async () => {
    const project = await matchedProject(server.ownAddress(), 'Canary One', 'Canary Two')
    expect(canariesIn(await everything()).length).toBeGreaterThan(5)
    await remove(project)
    expect(await forgetUnusedAnswers(server.bench.db)).toEqual({ answers: 2, items: 2 })
    expect(canariesIn(await everything())).toEqual([])
  })

  it('an answer stays that another project uses, until that goes too', async () => {
    const service = server.ownAddress()
    const one = await matchedProject(service, 'Shared', 'Own')
    const two = await matchedProject(service, 'Shared')
    await remove(one)
    await forgetUnusedAnswers(server.bench.db)
    expect(await names(service)).toEqual(['Shared'])
    await remove(two)
    await forgetUnusedAnswers(server.bench.db)
    expect(await names(service)).toEqual([])
  })
})

it('docs/privacy.md says of every table what it holds', async () => {
  const page = readFileSync(join(packageRoot, 'docs/privacy.md'), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const told = rows.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  expect(told.toSorted()).toEqual([...(await tableNames())].toSorted())
})

it('the question about a former name is forgotten, that about the present one is not', async () => {
  const service = server.ownAddress()
  const project = await matchedProject(service, 'Maiden name')
  await putRecords(server.bench.db, project.datasetId, [{ id: '0', name: 'Married name' }])
  await (await server.bench.start(project.id)).result()
  expect(await names(service)).toEqual(['Maiden name', 'Married name'])
  await forgetUnusedAnswers(server.bench.db)
  expect(await names(service)).toEqual(['Married name'])
})

it('planning beside it loses no question', async () => {
  const { db } = server.bench
  const service = server.ownAddress()
  const gone = await matchedProject(service, ...Array.from({ length: 60 }, (_, at) => `Name ${at}`))
  await remove(gone)
  const records = Array.from({ length: 60 }, (_, at) => ({ id: String(at), name: `Name ${at}` }))
  const { id, settings } = await createTestProject(db, service, records, { mapping })
  const project = await findProject(db, id)
  if (project === undefined) throw new Error('expected the project')
  await refreshSubjects(db, project)
  const run = await openRun(db, {
    projectId: id,
    workflowId: 'w',
    temporalRunId: `planning-${id}`,
    settingsRevision: 1,
    options: defaultRunOptions,
  })
  const question = { projectId: id, revision: 1, runId: run.id, options: defaultRunOptions }
  await queueDueSubjects(db, question, defaultRunOptions)
  await Promise.all([
    writeRunLookups(db, { id: run.id, settings }, () => undefined),
    ...Array.from({ length: 5 }, () => forgetUnusedAnswers(db)),
  ])
  expect(await names(service)).toHaveLength(60)
})
