/** A thread that runs jobs: one message in, one message out. */
import { parentPort } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

register()
// Callers that are turned away get an error with a trace of its stack, which nobody reads here.
Error.stackTraceLimit = 0
const { runJob } = await import('./job.ts')

parentPort?.on('message', (/** @type {import('./job.ts').Job} */ job) => {
  // A run that fails ends the thread, and with it the bench.
  void answer(job)
})

/** @param {import('./job.ts').Job} job */
async function answer(job) {
  const measures = await runJob(job)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(measures)
}
