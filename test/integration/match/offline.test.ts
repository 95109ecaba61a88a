import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

/** Three attempts would be over by then, if refused connections were counted. The full two minutes: test/faults. */
const OFFLINE_MS = 15_000
const BACK_WITHIN_MS = 60_000

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
})
afterAll(() => server.close())

it('a run whose every connection is refused fails nothing, and sends again within a minute of the return', async () => {
  const { bench, service } = server
  const records = Array.from({ length: 60 }, (_, index) => ({
    id: `r${index}`,
    name: `N ${index}`,
  }))
  const mapping = { name: 'name', variants: [], properties: [] }
  const project = await createTestProject(bench.db, server.ownAddress(), records, { mapping })
  const handle = await bench.start(project.id, { options: { entriesPerTask: 2 } })
  await service.until(() => service.requests.length > 5)
  await service.stop()
  const sent = service.requests.length
  await sleep(OFFLINE_MS)
  const attempts = await bench.db
    .selectFrom('lookup')
    .select((eb) => eb.fn.max('attempts').as('most'))
    .executeTakeFirst()
  // One for a call that was cut in the middle; none for a connection that was refused.
  expect(attempts?.most).toBeLessThanOrEqual(1)
  expect((await countProject(bench.db, project.id)).failed).toBe(0)

  await service.restart()
  const backAtMs = Date.now()
  await service.until(() => service.requests.length > sent)
  expect(Date.now() - backAtMs).toBeLessThan(BACK_WITHIN_MS)
  await handle.result()
  expect(await countProject(bench.db, project.id)).toMatchObject({ completed: 60, failed: 0 })
})
