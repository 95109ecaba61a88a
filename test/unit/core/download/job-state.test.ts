import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  after,
  type JobEvent,
  jobEvents,
  type JobStanding,
  jobStates,
  stateBefore,
} from '../../../../src/core/download/job-state.ts'

const START: JobStanding = { state: 'queued', attempts: 0 }
const events = fc.array(fc.constantFrom(...jobEvents), { maxLength: 60 })

/** Every standing on the way; an event that means nothing leaves it. */
function walk(order: readonly JobEvent[], maxAttempts: number): readonly JobStanding[] {
  const way = [START]
  let now = START
  for (const event of order) {
    now = after(now, event, maxAttempts) ?? now
    way.push(now)
  }
  return way
}

it('no order of events leads out of the five states, or past the most attempts', () => {
  const holds = fc.property(events, fc.integer({ min: 1, max: 5 }), (order, maxAttempts) =>
    walk(order, maxAttempts).every(({ state, attempts }) => {
      const most = state === 'queued' || state === 'in_progress' ? maxAttempts - 1 : maxAttempts
      return jobStates.includes(state) && attempts <= most
    }),
  )
  expect(fc.check(holds).counterexample).toBeNull()
})

it('what is done or skipped stays so, whatever comes', () => {
  const holds = fc.property(events, (order) => {
    const way = walk(order, 3)
    const over = way.findIndex(({ state }) => state === 'done' || state === 'skipped')
    return over < 0 || new Set(way.slice(over)).size === 1
  })
  expect(fc.check(holds).counterexample).toBeNull()
})

it('an event means something in one state only, and waits cost no attempt', () => {
  for (const event of jobEvents) {
    const taken = jobStates.filter((state) => after({ state, attempts: 1 }, event, 9) !== undefined)
    expect([event, taken]).toEqual([event, [stateBefore(event)]])
  }
  for (const event of ['park', 'handBack', 'wait'] as const) {
    expect(after({ state: 'in_progress', attempts: 2 }, event, 3)?.attempts).toBe(2)
  }
  expect(after({ state: 'in_progress', attempts: 1 }, 'retry', 3)).toEqual({
    state: 'queued',
    attempts: 2,
  })
  expect(after({ state: 'in_progress', attempts: 2 }, 'retry', 3)).toEqual({
    state: 'error',
    attempts: 3,
  })
})
