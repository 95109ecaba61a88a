import { expect, it } from 'vitest'
import { checkTemporal } from '../../../../src/client/doctor/temporal-checks.ts'

/** The client of Temporal alone tries for 10 s. */
const AT_ONCE_MS = 3_000

it('a Temporal server that refuses is told at once', async () => {
  const beganMs = performance.now()
  const checks = await checkTemporal('127.0.0.1:1', 'default')
  expect(checks).toMatchObject([{ name: 'Temporal', state: 'failed' }])
  expect(performance.now() - beganMs).toBeLessThan(AT_ONCE_MS)
})
