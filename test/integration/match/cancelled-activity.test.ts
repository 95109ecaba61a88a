import { CancelledFailure } from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { pausedFailure, waitFailure, withFailures } from '../../../src/activities/to-failure.ts'

const wait = waitFailure('retry_later', '3 lookups are to be asked again.', 1_000)
const final = pausedFailure('by user')

it('an activity that is cancelled when it would wait ends as cancelled, not as failed', async () => {
  const env = new MockActivityEnvironment()
  const ended = env.run(() =>
    withFailures(async () => {
      env.cancel()
      throw wait
    }),
  )
  await expect(ended).rejects.toBeInstanceOf(CancelledFailure)
})

it('one that is not cancelled waits, and a final failure stays what it is', async () => {
  const env = new MockActivityEnvironment()
  await expect(env.run(() => withFailures(() => Promise.reject(wait)))).rejects.toBe(wait)
  env.cancel()
  await expect(env.run(() => withFailures(() => Promise.reject(final)))).rejects.toBe(final)
})
