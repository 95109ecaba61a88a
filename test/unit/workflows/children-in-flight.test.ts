import { expect, test } from 'vitest'
import { mayNotBeTold } from '../../../src/workflows/children-in-flight.ts'

const MOST_EVENTS_OF_TEMPORAL = 51_200
const LARGEST_WINDOW = 500
/** Of a signal to a child: begun, arrived, and its share of the workflow task that follows. */
const EVENTS_PER_CHILD = 3
/** Start, end and their workflow tasks, with room to spare. */
const EVENTS_PER_TASK = 20

test('a window of the largest size is told of resumes again and again, and its history never comes near the end', () => {
  const tasks = LARGEST_WINDOW * EVENTS_PER_TASK
  let events = tasks
  let told = 0
  for (let resume = 0; resume < 1_000; resume += 1) {
    if (mayNotBeTold(LARGEST_WINDOW, events)) continue
    events += LARGEST_WINDOW * EVENTS_PER_CHILD
    told += 1
  }
  expect(told).toBeGreaterThan(5)
  expect(events).toBeLessThan(MOST_EVENTS_OF_TEMPORAL / 2)
})

test('a few shards are told of every resume', () => {
  expect(mayNotBeTold(4, 50_000)).toBe(false)
})
