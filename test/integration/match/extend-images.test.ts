import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { imageQuestionOf, readImageReport } from '../../../src/client/extend/image-report.ts'
import { startExtension } from '../../../src/client/extend/start-extension.ts'
import { forgetUnusedAnswers } from '../../../src/db/unused-answers.repo.ts'
import { extensionIn } from '../../support/fake-extension.ts'
import {
  answerByName,
  type FakeAnswer,
  type FakeService,
  htmlAnswer,
  manifestAnswer,
  startFakeService,
} from '../../support/fake-reconciliation-service.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

const picture: FakeAnswer = {
  headers: { 'content-type': 'image/jpeg' },
  body: Buffer.from('ffd8ffe000104a464946', 'hex'),
}

/** By item, what it states as its image. */
const IMAGES: Readonly<Record<string, string>> = {
  Q727: 'Canals & bikes #1?.jpg',
  Q64: 'Berlin page.jpg',
  Q2807: 'Madrid gone.jpg',
  Q90: 'https://museum.example/paris.jpg',
  Q84: 'Canals & bikes #1?.jpg',
}
const names = ['Amsterdam', 'Berlin', 'Madrid', 'Paris', 'London']

let server: MatchServer
let commons: FakeService
beforeAll(async () => {
  commons = await startFakeService()
  server = await startMatchServer({ random: () => 0, commons: new URL(commons.url).origin })
  server.service.respond((request) => {
    const asked = extensionIn(request)
    if (asked === null)
      return request.queries ? answerByName(request) : manifestAnswer(request, { extend: {} })
    const row = (item: string) => ({ P18: [{ str: IMAGES[item] }], P569: [] })
    return { json: { rows: Object.fromEntries(asked.ids.map((id) => [id, row(id)])) } }
  })
})
afterAll(async () => {
  await server.close()
  await commons.close()
})

let project: TestProject
beforeEach(async () => {
  commons.respond(({ path }) => {
    if (path.includes('page')) return htmlAnswer(200, 'Something went wrong')
    return path.includes('gone') ? { status: 404 } : picture
  })
  const records = names.map((name, index) => ({ id: `r${index}`, name }))
  project = await createTestProject(server.bench.db, server.ownAddress(), records)
  await (await server.bench.start(project.id)).result()
})

async function check(renewBefore?: string, since = new Date().toISOString()) {
  const { client, db, taskQueue } = server.bench
  const before = commons.requests.length
  const question = {
    projectId: project.id,
    properties: ['P18', 'P569'],
    ...(renewBefore === undefined ? {} : { renewBefore }),
  }
  await (await startExtension(client, { ...question, imagesSince: since }, taskQueue)).result()
  const { service } = project.settings
  return {
    ...(await readImageReport(db, imageQuestionOf({ ...question, service }, since))),
    paths: commons.requests.slice(before).map(({ path }) => path),
  }
}

describe('an extension that looks for images', () => {
  it('case 31: asks for each address once, tells what is no image from what is missing, and keeps the values', async () => {
    const { counts, faulty, paths } = await check()
    expect(paths.toSorted()).toEqual(
      ['Berlin_page.jpg', 'Canals_%26_bikes_%231%3F.jpg', 'Madrid_gone.jpg'].map(
        (name) => `/wiki/Special:FilePath/${name}`,
      ),
    )
    expect(counts).toMatchObject({ images: 4, present: 1, unchecked: 0 })
    expect(faulty.map(({ item, value, state, code }) => [item, value, state, code])).toEqual([
      ['Q2807', 'Madrid gone.jpg', 'missing', 'not_found'],
      ['Q64', 'Berlin page.jpg', 'not_an_image', 'not_an_image'],
      ['Q90', 'https://museum.example/paris.jpg', 'no_file_name', 'no_file_name'],
    ])
    expect((await check()).paths).toEqual([])
    expect((await check('2026-01-01T00:00:00Z')).paths).toEqual([])
    expect((await check(new Date().toISOString())).paths).toHaveLength(3)
  })

  it('waits where it is told to, tries again, and never takes "could not ask" for "missing"', async () => {
    commons.respondOnce({ status: 429, headers: { 'retry-after': '1' } }, { status: 425 })
    commons.respond(({ path }) => (path.includes('gone') ? { status: 400 } : picture))
    const { counts, faulty } = await check()
    expect(counts).toMatchObject({ present: 2, missing: 0, failed: 1, unchecked: 0 })
    expect(faulty.find(({ state }) => state === 'failed')).toMatchObject({ code: 'bad_request' })
    commons.respond(picture)
    expect((await check()).paths).toEqual(['/wiki/Special:FilePath/Madrid_gone.jpg'])
  })

  it('ends also where the clock of the database is behind', async () => {
    commons.respond(({ path }) => (path.includes('gone') ? { status: 400 } : picture))
    const since = new Date(Date.now() + 3_600_000).toISOString()
    const { counts, paths } = await check(undefined, since)
    expect([counts.failed, counts.unchecked, paths.length]).toEqual([1, 0, 3])
  })

  it('keeps no name of a file once nobody uses the service', async () => {
    const { db } = server.bench
    await check()
    const named = await db
      .selectFrom('attempt')
      .where('message', 'like', '%jpg%')
      .selectAll()
      .execute()
    expect(named).toEqual([])
    const { service } = project.settings
    const kept = () =>
      db.selectFrom('image_check').where('service', '=', service).selectAll().execute()
    expect(await kept()).toHaveLength(4)
    await db.deleteFrom('project').where('id', '=', project.id).execute()
    await db.deleteFrom('lookup').where('service', '=', service).execute()
    await forgetUnusedAnswers(db)
    expect(await kept()).toEqual([])
  })
})
