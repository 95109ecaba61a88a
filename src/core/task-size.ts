/** How large the tasks of a run are: large enough that the engine's cost per record is small, small enough to last seconds. */

export interface TaskPace {
  /** Lookups per request. */
  readonly batchSize: number
  /** Of one request, ms; null: not known. */
  readonly latencyMs: number | null
  /** Requests per second that the domain is known to bear; null: not known. */
  readonly ratePerS: number | null
  /** Tasks in flight in the whole run. */
  readonly window: number
}

/** What a task aims at; from a request in 0.2 s to one in 20 s it lasts 2 to 20 s (DESIGN §1). */
const TASK_MS = 8_000
/**
 * What a failed attempt may have to look through again, and how far a service is asked ahead of what is decided: 4,500 records of a
 * million, 18,000 with 20. The price are twice as many events, and half as much again of the server's processor time (docs/scale.md).
 */
const MOST_REQUESTS_PER_TASK = 10
/** Each place of the window gets so many tasks at least: with fewer, most places would be empty at the end of a run. */
const LEAST_TASKS_PER_PLACE = 3
/** As many tasks as with waves of 4 and 16 requests, but no two ask and decide in step. */
const WINDOWS_OF_GROWTH = 2
/** Of a service that was never asked. */
const USUAL_LATENCY_MS = 500

/** Records of a task that are decided in less time than an activity of its own would take. */
export const MOST_QUICK_RECORDS = 25

/**
 * Lookups per task: one request's worth in a small run, up to 10 requests' worth in a large one.
 * @param lookups distinct lookups without an answer
 */
function lookupsPerTask(lookups: number, pace: TaskPace): number {
  const requests = Math.ceil(lookups / pace.batchSize)
  const fittingRun = Math.floor(requests / (pace.window * LEAST_TASKS_PER_PLACE))
  const fittingTime = Math.round(TASK_MS / turnMs(pace))
  const fitting = Math.min(MOST_REQUESTS_PER_TASK, fittingRun, fittingTime)
  return Math.max(1, fitting) * pace.batchSize
}

/**
 * How many lookups each task of a run gets, counted from its first one. All tasks in flight ask to their end before one
 * of them decides a record, so equal ones would ask together and then decide together: the first ones get a part, each
 * more than the one before it. As long as the limiter is still looking for the rate, a window of tasks begins with one request
 * each, since somebody looks on and the limiter has to learn, and two windows of them grow to the full size.
 */
export function taskSizes(lookups: number, pace: TaskPace): (nth: number) => number {
  const { batchSize, window, ratePerS } = pace
  const full = lookupsPerTask(lookups, pace)
  const requests = full / batchSize
  const grown = (nth: number, over: number) =>
    batchSize * Math.min(requests, Math.max(1, Math.ceil((requests * (nth + 1)) / over)))
  return ratePerS === null
    ? (nth) => grown(nth - window, WINDOWS_OF_GROWTH * window)
    : (nth) => grown(nth, window)
}

/** Tasks for so many lookups. */
export function countTasks(lookups: number, sizeOf: (nth: number) => number): number {
  let count = 0
  for (let left = lookups; left > 0; left -= sizeOf(count - 1)) count += 1
  return count
}

/** From one request of a task to its next: the answer's time, or its place among the tasks that share the rate. */
function turnMs({ latencyMs, ratePerS, window }: TaskPace): number {
  const waitMs = ratePerS === null ? 0 : (window / ratePerS) * 1_000
  return Math.max(latencyMs ?? USUAL_LATENCY_MS, waitMs)
}
