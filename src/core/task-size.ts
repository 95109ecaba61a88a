/** Above so many requests a task carries more than one, so that a run stays within one parent's children. */
const SMALL_RUN_REQUESTS = 500
const MOST_REQUESTS_PER_TASK = 20

/**
 * Lookups per task: one request's worth in a small run, up to 20 requests' worth in a large one, so that a task lasts
 * seconds and not minutes.
 * @param lookups distinct lookups without an answer
 * @param batchSize lookups per request
 */
export function lookupsPerTask(lookups: number, batchSize: number): number {
  const requests = Math.ceil(lookups / batchSize)
  const requestsPerTask = Math.min(
    MOST_REQUESTS_PER_TASK,
    Math.max(1, Math.ceil(requests / SMALL_RUN_REQUESTS)),
  )
  return requestsPerTask * batchSize
}
