/**
 * Cancel at any of a hundred random moments. `CANCEL_MOMENTS` and `CANCEL_SEED` say how many and which others; a moment
 * that fails is named by its own test.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cancelMoments, type MomentEnd, playCancelMoment } from '../support/cancel-moments.ts'
import { type MatchServer, startMatchServer } from '../support/match-server.ts'
import { report } from './report.ts'

const MOMENTS = Number(process.env['CANCEL_MOMENTS'] ?? 100)
const SEED = Number(process.env['CANCEL_SEED'] ?? 1)

let server: MatchServer
const ends: MomentEnd[] = []
beforeAll(async () => {
  server = await startMatchServer()
})
afterAll(() => server.close())

describe(`cancel, seed ${SEED}`, { concurrent: true }, () => {
  it.each(cancelMoments(MOMENTS, SEED).map((moment) => [JSON.stringify(moment), moment] as const))(
    'leaves consistent rows, and a restart completes them: %s',
    async (_, moment) => {
      const end = await playCancelMoment(server.bench, moment)
      expect(end.records).toBe(moment.records)
      ends.push(end)
    },
  )
})

it('the moments were not all before the first or after the last decision', () => {
  const cancelled = ends.filter(({ end }) => end === 'cancelled')
  const halfway = cancelled.filter(({ decided, records }) => decided > 0 && decided < records)
  report(`${ends.length} moments: ${cancelled.length} cancelled, ${halfway.length} of them halfway`)
  expect(halfway.length).toBeGreaterThan(0)
})
