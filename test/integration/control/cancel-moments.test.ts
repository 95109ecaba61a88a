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
