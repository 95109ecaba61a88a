import { expect, it } from 'vitest'
import { pollersOf } from '../../../src/workers/pollers.ts'

it('as many requests for work are open as the setting says, but never more than there are places', () => {
  expect(pollersOf('10', 40)).toEqual({
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 10 },
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 10 },
  })
  expect(pollersOf('10', 4)).toMatchObject({ activityTaskPollerBehavior: { maximum: 4 } })
})

it('the server says how many, up to the places there are', () => {
  expect(pollersOf('auto', 4)).toEqual({
    activityTaskPollerBehavior: { type: 'autoscaling', maximum: 4, initial: 4 },
    workflowTaskPollerBehavior: { type: 'autoscaling' },
  })
})
