import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleKnowledgeBasePath } from '../../../src/client/sample/sample-knowledge-base.ts'
import { sampleRecords } from '../../../src/client/sample/sample-records.ts'
import { evaluateProject } from '../../../src/client/evaluate/evaluate-project.ts'
import { ensureSampleProject, SAMPLE_PROJECT_ID } from '../../../src/client/sample-project.ts'
import { fitProjectWeights } from '../../../src/client/weights/fit-project-weights.ts'
import { findProject, reviseSettings } from '../../../src/db/projects.repo.ts'
import { startKbService } from '../../../src/kb/kb-service.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
let cacheFolder: string
let knowledgeBase: Awaited<ReturnType<typeof startKbService>>

beforeAll(async () => {
  server = await startMatchServer()
  cacheFolder = await mkdtemp(join(tmpdir(), 'record-linker-sample-'))
  const file = await sampleKnowledgeBasePath(cacheFolder)
  knowledgeBase = await startKbService({ file, port: 0 })
})
afterAll(async () => {
  await knowledgeBase.close()
  await server.close()
  await rm(cacheFolder, { recursive: true })
})

describe('the sample project', () => {
  it('decides all records, at least 65 % automatically, with a precision of at least 0.97', async () => {
    const { bench } = server
    await ensureSampleProject(bench.db)
    const project = await findProject(bench.db, SAMPLE_PROJECT_ID)
    if (project === undefined) throw new Error('The sample project was not made.')
    // The bench knows no service by the name of `sample`.
    await reviseSettings(bench.db, project.id, { ...project.settings, service: knowledgeBase.url })
    await (await bench.start(project.id, { settingsRevision: 2 })).result()

    const rows = await bench.db
      .selectFrom('result')
      .where('project_id', '=', project.id)
      .select(['external_id', 'status', 'match_status', 'match_qid'])
      .execute()
    const truth = new Map((await sampleRecords()).map((record) => [record.id, record]))
    const automatic = rows.filter((row) => row.match_status === 'matched')
    const right = automatic.filter((row) => {
      const record = truth.get(row.external_id)
      return record?.inKb === true && record.expectedQid === row.match_qid
    })
    expect(rows).toHaveLength(truth.size)
    expect(rows.every((row) => row.status === 'COMPLETED')).toBe(true)
    expect(automatic.length / rows.length).toBeGreaterThanOrEqual(0.65)
    expect(right.length / automatic.length).toBeGreaterThanOrEqual(0.97)

    const gold = new Map(
      [...truth].map(([id, record]) => [id, record.inKb ? record.expectedQid : null]),
    )
    const { evaluation, curve, wrong, undecided } = await evaluateProject(bench.db, project, gold)
    expect(evaluation.auto).toMatchObject({ n: automatic.length, right: right.length })
    expect(evaluation.candidateRecall).toBeGreaterThan(0.9)
    expect(undecided).toBe(0)
    expect(wrong.length).toBeGreaterThan(0)
    const atOwn = curve.find(({ threshold }) => threshold === 90)
    expect(atOwn?.matched).toBeGreaterThanOrEqual(automatic.length)

    // What its own records teach is stored with the project and decides its next run, which asks nobody.
    const fit = await fitProjectWeights(bench.db, project, gold)
    expect(fit.records).toBe(truth.size)
    expect(fit.lossAfter).toBeLessThan(fit.lossBefore)
    const weights = { version: 'own', prior: fit.prior, bits: fit.bits }
    await reviseSettings(bench.db, project.id, {
      ...project.settings,
      service: knowledgeBase.url,
      weights,
    })
    await (await bench.start(project.id, { settingsRevision: 3 })).result()
    const versions = await bench.db
      .selectFrom('subject as s')
      .innerJoin('decision as d', 'd.id', 's.decision_id')
      .where('s.project_id', '=', project.id)
      .select('d.weights_version')
      .distinct()
      .execute()
    expect(versions).toEqual([{ weights_version: 'own' }])
    const after = await evaluateProject(bench.db, project, gold)
    expect(after.evaluation.auto.precision).toBeGreaterThan(0.97)
  })
})
