import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { heldText } from '../../../src/client/export/held-text.ts'
import { startExtension } from '../../../src/client/extend/start-extension.ts'
import { stopWorkflow } from '../../../src/client/match/stop-workflow.ts'
import { extendProjectId } from '../../../src/core/workflow-ids.ts'
import type { Db } from '../../../src/db/connect.ts'
import { countValues } from '../../../src/db/item-values.repo.ts'
import { type AskedExtension, extensionAnswer, extensionIn } from '../../support/fake-extension.ts'
import {
  answerByName,
  type FakeAnswer,
  type FakeHandler,
  manifestAnswer,
} from '../../support/fake-reconciliation-service.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
let db: Db
let project: TestProject

beforeAll(async () => {
  server = await startMatchServer({ random: () => 0 })
  db = server.bench.db
})
afterAll(() => server.close())

const names = ['Amsterdam', 'Berlin', 'London', 'Madrid', 'Paris', 'Rome']
const ids = ['Q2807', 'Q220', 'Q64', 'Q727', 'Q84', 'Q90']

beforeEach(async () => {
  server.service.respond(extending(extensionAnswer))
  await matchCities()
})

async function matchCities(): Promise<void> {
  const records = [...names, 'Paris', 'Nowhere'].map((name, index) => ({ id: `r${index}`, name }))
  project = await createTestProject(db, server.ownAddress(), records)
  await (await server.bench.start(project.id)).result()
}

/** Answers names and extensions, two items at once. */
function extending(
  answer: (asked: AskedExtension) => FakeAnswer | Promise<FakeAnswer>,
  offer: object = { extend: {}, batchSize: 2 },
): FakeHandler {
  return (request) => {
    const asked = extensionIn(request)
    if (asked !== null) return answer(asked)
    return request.queries ? answerByName(request) : manifestAnswer(request, { ...offer })
  }
}

const asked = () => server.service.requests.flatMap((request) => extensionIn(request) ?? [])

const extend = (...properties: readonly string[]) => renew(undefined, ...properties)

const renew = (renewBefore: string | undefined, ...properties: readonly string[]) =>
  startExtension(
    server.bench.client,
    { projectId: project.id, properties, ...(renewBefore === undefined ? {} : { renewBefore }) },
    server.bench.taskQueue,
  )

const counts = (...properties: readonly string[]) =>
  countValues(db, { projectId: project.id, service: project.settings.service, properties })

async function held(): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('item_value')
    .where('service', '=', project.settings.service)
    .select(['external_id', 'property', 'held', 'error_code'])
    .orderBy('external_id')
    .orderBy('property')
    .execute()
  return rows.map(
    (row) =>
      `${row.external_id} ${row.property} ` +
      [...(row.held === null ? [] : [heldText(row.held)]), row.error_code ?? []].flat().join(', '),
  )
}

describe('an extension', () => {
  it('asks for each matched item once, in batches, and a second one asks nothing', async () => {
    expect(await counts('P1', 'Len')).toMatchObject({ items: 6, missing: 6, failed: 0 })
    const before = asked().length
    await (await extend('P1', 'Len')).result()
    const batches = asked().slice(before)
    expect(batches.map((batch) => batch.ids.length)).toEqual([2, 2, 2])
    expect(batches.flatMap((batch) => batch.ids).toSorted()).toEqual(ids.toSorted())
    expect(await counts('P1', 'Len')).toMatchObject({ items: 6, missing: 0, failed: 0 })
    expect((await held())[0]).toBe('Q220 Len Len of Q220')

    await (await extend('P1', 'Len')).result()
    expect(asked()).toHaveLength(before + 3)
    await (await extend('P1', 'P2')).result()
    expect(
      asked()
        .slice(before + 3)
        .map(({ properties }) => properties),
    ).toEqual(Array.from({ length: 3 }, () => [{ id: 'P2' }]))
  })

  it('keeps its requests as attempts, and each has a permit', async () => {
    const attempts = () =>
      db
        .selectFrom('attempt')
        .where('run_id', 'is', null)
        .where('outcome', '=', 'ok')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    const { count } = await attempts()
    await (await extend('P1')).result()
    // The manifest was read by the run; this process remembers it.
    expect((await attempts()).count).toBe(count + 3)
  })

  it('waits for a service that is busy, and loses nothing', async () => {
    server.service.respondOnce({ status: 429, headers: { 'retry-after': '1' } })
    await (await extend('P1')).result()
    expect(await counts('P1')).toMatchObject({ items: 6, missing: 0, failed: 0 })
  })

  it('that is stopped keeps what was answered; the next asks for the rest', async () => {
    let release: () => void = () => undefined
    const hangs = new Promise<void>((resolve) => {
      release = resolve
    })
    let batches = 0
    server.service.respond(
      extending(async (some) => {
        batches += 1
        if (batches > 1) await hangs
        return extensionAnswer(some)
      }),
    )
    const before = server.service.requests.length
    await extend('P1')
    await server.service.until(() => server.service.requests.length === before + 2)
    expect(await stopWorkflow(server.bench.client, extendProjectId(project.id))).toBe(true)
    release()
    expect(await stopWorkflow(server.bench.client, extendProjectId(project.id))).toBe(false)
    expect((await counts('P1')).missing).toBe(4)
    const stopped = asked().length
    await (await extend('P1')).result()
    expect(asked().length - stopped).toBe(2)
    expect((await counts('P1')).missing).toBe(0)
  })

  it('tells an item that is refused from one that states nothing, and the next asks it again', async () => {
    server.service.respond(
      extending((some) =>
        some.ids.includes('Q64')
          ? { status: 400 }
          : { json: { rows: Object.fromEntries(some.ids.map((id) => [id, {}])) } },
      ),
    )
    await (await extend('P1')).result()
    expect(await counts('P1')).toMatchObject({ items: 6, missing: 0, failed: 1 })
    expect(await held()).toContain('Q64 P1 bad_request')
    expect(await held()).toContain('Q90 P1 ')
    server.service.respond(extending(extensionAnswer))
    const before = asked().length
    await (await extend('P1')).result()
    expect(
      asked()
        .slice(before)
        .map((batch) => batch.ids),
    ).toEqual([['Q64']])
    expect(await counts('P1')).toMatchObject({ items: 6, missing: 0, failed: 0 })
  })

  it('that renews asks again what is older, and keeps what it had where it cannot', async () => {
    await (await extend('P1')).result()
    const now = new Date().toISOString()
    await (await renew('2026-01-01T00:00:00Z', 'P1')).result()
    const before = asked().length
    const fresh = (some: AskedExtension): FakeAnswer =>
      some.ids.includes('Q64')
        ? { status: 400 }
        : {
            json: {
              rows: Object.fromEntries(some.ids.map((id) => [id, { P1: [{ str: 'new' }] }])),
            },
          }
    server.service.respond(extending(fresh))
    await (await renew(now, 'P1')).result()
    // Three batches, and the halves of the one that was refused.
    expect(asked().length - before).toBe(5)
    const known = await held()
    expect(known.filter((line) => line.endsWith(' new'))).toHaveLength(5)
    expect(known).toContain('Q64 P1 P1 of Q64, bad_request')
    expect(await counts('P1')).toMatchObject({ missing: 0, failed: 0 })
    const question = { projectId: project.id, service: project.settings.service }
    const renewed = await countValues(db, { ...question, properties: ['P1'], renewBefore: now })
    expect(renewed).toMatchObject({ missing: 0, failed: 1 })
  })

  it('of a service without data extension fails and says so', async () => {
    server.service.respond(extending(extensionAnswer, {}))
    await matchCities()
    await expect((await extend('P1')).result()).rejects.toMatchObject({
      cause: { cause: { type: 'no_data_extension' } },
    })
  })

  // The last one: the limiter leaves the domain alone for a while after it.
  it('about something that makes the service fail for every item ends and names it', async () => {
    const broken = { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>500</h1>' }
    const answer = (some: AskedExtension) =>
      some.properties.some(({ id }) => id === 'P9') ? broken : extensionAnswer(some)
    server.service.respond(extending(answer, { extend: {}, batchSize: 1 }))
    await matchCities()
    await (await extend('P1')).result()
    const before = asked().length
    await expect((await extend('P1', 'P9')).result()).rejects.toMatchObject({
      cause: { cause: { type: 'never_answered', message: expect.stringContaining('(P9)') } },
    })
    // At most six tries, as the domain is left alone in between, each of three requests in a row.
    expect(asked().length - before).toBeLessThanOrEqual(18)
    expect((await counts('P1')).missing).toBe(0)
  })
})
