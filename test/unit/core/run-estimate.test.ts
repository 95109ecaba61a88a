import { expect, it } from 'vitest'
import { estimatedMs } from '../../../src/core/run-estimate.ts'

const pace = { ratePerSecond: 2, waitMs: 0, inFlight: 4, latencyMs: null }

it.each([
  ['nothing takes no time, whatever is waited for', 0, { waitMs: 5_000 }, 0],
  ['the rate decides where answers come fast', 10, { latencyMs: 100 }, 5_000],
  ['the answers decide where they are slow', 10, { latencyMs: 4_000 }, 12_000],
  ['a wait comes first', 10, { waitMs: 60_000 }, 65_000],
])('%s', (_, requests, changes, ms) =>
  expect(estimatedMs(requests, { ...pace, ...changes })).toBe(ms),
)
