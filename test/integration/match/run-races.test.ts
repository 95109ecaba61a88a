import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Db } from '../../../src/db/connect.ts'
import { findProject } from '../../../src/db/projects.repo.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { latestRun } from '../../../src/db/runs.repo.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { pauseSignal } from '../../../src/workflows/messages.ts'
import {
  answerByName,
  type FakeService,
  manifestAnswer,
} from '../../support/fake-reconciliation-service.ts'
import type { MatchBench } from '../../support/match-bench.ts'
import { createTestProject, putRecords, reviseSettings } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
let bench: MatchBench
let db: Db
let service: FakeService

beforeAll(async () => {
  server = await startMatchServer()
  ;({ bench, service } = server)
  db = bench.db
})
afterAll(() => server.close())

const mapping = { name: 'name', variants: [], properties: [] }
const oneRecord = (name: string) => [{ id: 'r0', name }]

async function resultOf(projectId: number) {
  return db
    .selectFrom('result')
    .where('project_id', '=', projectId)
    .select(['match_status', 'match_qid'])
    .executeTakeFirstOrThrow()
}

describe('a row that is imported anew while its run is going on', () => {
  it('is asked about again by the next start, not taken for answered', async () => {
    const project = await createTestProject(db, server.ownAddress(), oneRecord('Brelin'), {
      mapping,
    })
    service.respond(async (request) => {
      if (request.queries === null) return manifestAnswer(request)
      const known = await findProject(db, project.id)
      if (known === undefined) throw new Error('The project is gone.')
      await putRecords(db, project.datasetId, oneRecord('Berlin'))
      await refreshSubjects(db, known)
      return answerByName(request)
    })
    await (await bench.start(project.id)).result()
    service.respond(answerByName)
    expect(await resultOf(project.id)).toMatchObject({ match_status: 'no_candidate' })
    await (await bench.start(project.id)).result()
    expect(await resultOf(project.id)).toEqual({ match_status: 'matched', match_qid: 'Q64' })
  })
})

describe('a run that is paused', () => {
  it('does not keep another project from asking the question both have', async () => {
    const address = server.ownAddress()
    const paused = await createTestProject(db, address, oneRecord('Berlin'), { mapping })
    const other = await createTestProject(db, address, oneRecord('Berlin'), { mapping })
    const before = service.requests.length
    service.respond((request) =>
      request.queries === null ? manifestAnswer(request) : { hang: 'before_headers' },
    )
    const first = await bench.start(paused.id)
    await service.until(() =>
      service.requests.slice(before).some(({ queries }) => queries !== null),
    )
    await first.signal(pauseSignal, { reason: 'by user' })
    await vi.waitFor(
      async () => expect((await latestRun(db, paused.id))?.pausedReason).toBe('by user'),
      { timeout: 20_000 },
    )
    service.respond(answerByName)
    await (await bench.start(other.id)).result()
    expect((await countProject(db, other.id)).matched).toBe(1)
    await first.cancel()
    await first.result().catch(() => undefined)
  })
})

describe('a run that has every answer at hand', () => {
  it('needs no service', async () => {
    const project = await createTestProject(db, server.ownAddress(), oneRecord('Berlin'), {
      mapping,
    })
    await (await bench.start(project.id)).result()
    await reviseSettings(db, project, { thresholds: { match: 101, review: 35, lead: 10 } })
    await service.stop()
    await (await bench.start(project.id, { settingsRevision: 2 })).result()
    await service.restart()
    expect(await resultOf(project.id)).toMatchObject({ match_status: 'review' })
  })
})
