/**
 * How our long-lived processes begin, so that they keep little memory: both can be said only before a process is there.
 * `record-linker` and `Dockerfile.worker` say the same. Of a worker that has fetched 10,000 small files they save 40 MB.
 */

/** glibc has a pool for each of many threads, and gives back little of any; what is set already stays. */
export const smallMemoryEnv: NodeJS.ProcessEnv = { MALLOC_ARENA_MAX: '2' }

/** Room for what lives a moment, MiB, of which V8 keeps three times as much; its own is 16. */
export const smallMemoryArguments: readonly string[] = ['--max-semi-space-size=8']
