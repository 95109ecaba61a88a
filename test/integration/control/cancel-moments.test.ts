/** Cancel at any moment: a few from a fixed seed (`CANCEL_MOMENTS` says how many); `npm run test:faults` plays a hundred. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cancelMoments, playCancelMoment } from '../../support/cancel-moments.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

const SEED = 11
// Restarts wait for what their service asked them to wait for, and all of it for a busy machine.
const LIMIT_MS = 600_000
const MOMENTS = Number(process.env['CANCEL_MOMENTS'] ?? 6)

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
})
afterAll(() => server.close())

it.each(cancelMoments(MOMENTS, SEED).map((moment) => [JSON.stringify(moment), moment] as const))(
  'a cancel leaves consistent rows, and a restart completes them: %s',
  async (_, moment) => {
    expect((await playCancelMoment(server.bench, moment)).records).toBe(moment.records)
  },
  LIMIT_MS,
)

it.concurrent.each([1, 2, 3])(
  'a cancel while tasks are being started reaches those that it comes too early for, try %i',
  async () => {
    const end = await playCancelMoment(server.bench, {
      records: 39,
      entriesPerTask: 1,
      delayMs: 5,
      after: 'requests',
      count: 3,
      throttleEvery: 0,
      failEvery: 0,
      pauses: false,
      notes: true,
    })
    expect(end.records).toBe(39)
  },
  LIMIT_MS,
)
