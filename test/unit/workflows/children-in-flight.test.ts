import { expect, test } from 'vitest'
import { tasksToTell } from '../../../src/workflows/children-in-flight.ts'

const MOST_EVENTS_OF_TEMPORAL = 51_200
const LARGEST_WINDOW = 500
/** Of a signal to a child: begun, arrived, and its share of the workflow task that follows. */
const EVENTS_PER_CHILD = 3
/** Start, end and their workflow tasks, with room to spare. */
const EVENTS_PER_TASK = 20

test('a window of the largest size is told of a thousand resumes, first all of it and then a few, and its history does not come to its end', () => {
  let events = LARGEST_WINDOW * EVENTS_PER_TASK
  const told = Array.from({ length: 1_000 }, () => {
    const tasks = Math.min(LARGEST_WINDOW, tasksToTell(events))
    events += tasks * EVENTS_PER_CHILD
    return tasks
  })
  expect(told.slice(0, 5)).toEqual([500, 500, 500, 500, 500])
  expect(Math.min(...told)).toBeGreaterThan(0)
  expect(events).toBeLessThan(MOST_EVENTS_OF_TEMPORAL)
})
