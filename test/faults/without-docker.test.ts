/**
 * The match of 5,000 records on the servers of docker-compose.yml, started without Docker: Temporal with PostgreSQL, two
 * workers, one killed on the way. Its table is that of the embedded servers.
 *
 *   node scripts/test.mjs test/faults/without-docker.test.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultMatchSizes } from '../../src/core/match-run.ts'
import { type BrandService, startBrandService } from '../support/brands.ts'
import { startGuardian } from '../support/start-guardian.ts'
import { makeTestFolder } from '../support/test-servers.ts'
import { matchWithAKill } from '../support/without-docker/killed-worker-match.ts'
import {
  type StackWithoutDocker,
  startStackWithoutDocker,
} from '../support/without-docker/stack.ts'
import { report } from './report.ts'

const RECORDS = 5_000
const BATCH_SIZE = 50

const guardian = startGuardian()
let stack: StackWithoutDocker
let service: BrandService
beforeAll(async () => {
  service = await startBrandService({ delayMs: 80, batchSize: BATCH_SIZE })
  stack = await startStackWithoutDocker(guardian, makeTestFolder(guardian))
}, 900_000)
afterAll(async () => {
  await stack.stop()
  await service.close()
  await guardian.cleanUp()
})

it('5,000 records, a worker killed on the way: the table of the embedded servers', async () => {
  const { embedded, onPostgres, askedAgain } = await matchWithAKill(stack, service, RECORDS)
  report(`embedded ${embedded} records/s, on PostgreSQL with a kill ${onPostgres} records/s`)
  report(`${askedAgain} questions asked again`)
  // What was on its way, and nothing that had been stored.
  expect(askedAgain).toBeLessThanOrEqual(defaultMatchSizes.window * BATCH_SIZE)
})
