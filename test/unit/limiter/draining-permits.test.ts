import { expect, it } from 'vitest'
import type { Permit, Permits } from '../../../src/core/limiter/permit.ts'
import { drainingPermits } from '../../../src/limiter/draining-permits.ts'

const permit: Permit = { domain: 'a.org', report: () => undefined, giveBack: () => undefined }
const always: Permits = { acquire: async () => permit }
/** A line in which nobody is ever served. */
const never: Permits = {
  acquire: ({ signal }) =>
    new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason))
    }),
}
const request = (signal = new AbortController().signal) => ({
  domain: 'a.org',
  project: 'project/1',
  signal,
})
const stopped = { code: 'worker_stopping', kind: 'throttled', retryAfterMs: 1 }

it('passes permits on until the process is told to end, and none from then on', async () => {
  const stopping = new AbortController()
  const permits = drainingPermits(always, stopping.signal)
  expect(await permits.acquire(request())).toBe(permit)
  stopping.abort()
  await expect(permits.acquire(request())).rejects.toMatchObject(stopped)
})

it('turns away who waits in that moment', async () => {
  const stopping = new AbortController()
  const waiting = drainingPermits(never, stopping.signal).acquire(request())
  stopping.abort()
  await expect(waiting).rejects.toMatchObject(stopped)
})

it('a caller that is cancelled is told its own reason', async () => {
  const caller = new AbortController()
  const permits = drainingPermits(never, new AbortController().signal)
  const waiting = permits.acquire(request(caller.signal))
  caller.abort(new Error('no longer wanted'))
  await expect(waiting).rejects.toThrow('no longer wanted')
  await expect(permits.acquire(request(caller.signal))).rejects.toThrow('no longer wanted')
})
