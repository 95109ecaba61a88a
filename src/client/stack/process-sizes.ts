/**
 * How our long-lived processes begin: all of this can be said only before a process is there. `record-linker` and
 * `Dockerfile.worker` say the same. What the environment says already stays.
 */

/** Of a worker that has fetched 10,000 small files those of malloc save 60 MB, and the argument 30 MB. */
export const processEnv: NodeJS.ProcessEnv = {
  // glibc has a pool for each of many threads; two are enough.
  MALLOC_ARENA_MAX: '2',
  // So much that is free at the end of a pool goes back to the system, bytes; glibc raises it to many times that.
  MALLOC_TRIM_THRESHOLD_: '131072',
  // Calls of the file system and look-ups of names at once; node's 4 would all wait for the disk while files are sealed.
  UV_THREADPOOL_SIZE: '16',
}

/** Room for what lives a moment, MiB, of which V8 keeps three times as much; its own is 16. */
export const processArguments: readonly string[] = ['--max-semi-space-size=8']
