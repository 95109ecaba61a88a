/** Runs jobs on all cores: they share nothing, so two cores are twice as fast. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Job } from './job.ts'
import type { Measure } from './stories/story.ts'

const MOST_THREADS = 8

/**
 * @param onDone Called after each job.
 * @returns In the order of the jobs.
 */
export async function runJobs(
  jobs: readonly Job[],
  onDone: (done: number) => void,
): Promise<readonly (readonly Measure[])[]> {
  const results = jobs.map((): readonly Measure[] => [])
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    const thread = new Worker(new URL('job-thread.mjs', import.meta.url))
    try {
      while (next < jobs.length) {
        const index = next
        next += 1
        results[index] = await answerOf(thread, jobs[index])
        done += 1
        onDone(done)
      }
    } finally {
      await thread.terminate()
    }
  }
  const threads = Math.min(jobs.length, availableParallelism(), MOST_THREADS)
  await Promise.all(Array.from({ length: threads }, work))
  return results
}

function answerOf(thread: Worker, job: Job | undefined): Promise<readonly Measure[]> {
  return new Promise((resolve, reject) => {
    thread.removeAllListeners()
    thread.once('message', (measures: readonly Measure[]) => resolve(measures))
    thread.once('error', reject)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage(job)
  })
}
