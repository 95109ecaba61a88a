import { ApplicationFailure } from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { describe, expect, it } from 'vitest'
import { withFailures } from '../../../src/activities/to-failure.ts'

/** Runs an activity into an error that nobody foresaw. @returns whether it is given up */
async function isGivenUp(activityId: string): Promise<boolean> {
  const logger = new DefaultLogger('ERROR') // It warns of each.
  const env = new MockActivityEnvironment({ activityId }, { logger })
  const thrown: unknown = await env
    .run(() => withFailures(() => Promise.reject(new TypeError('a defect'))))
    .catch((error: unknown) => error)
  if (!(thrown instanceof ApplicationFailure)) throw new Error('expected a failure of ours')
  return thrown.nonRetryable === true
}

describe('an error that nobody foresaw', () => {
  it('is tried again four times, and then shown, whatever fails in between', async () => {
    for (let attempt = 1; attempt <= 4; attempt++) {
      expect(await isGivenUp('in a row')).toBe(false)
      await isGivenUp(`between ${attempt}`)
    }
    expect(await isGivenUp('in a row')).toBe(true)
  })

  it('of an activity that has gone on elsewhere is forgotten after a thousand others', async () => {
    for (let attempt = 1; attempt <= 4; attempt++) await isGivenUp('elsewhere')
    for (let other = 1; other <= 1_000; other++) await isGivenUp(`other ${other}`)
    expect(await isGivenUp('elsewhere')).toBe(false)
  })
})
