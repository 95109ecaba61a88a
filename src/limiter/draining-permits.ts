import { setMaxListeners } from 'node:events'
import type { Permits } from '../core/limiter/permit.ts'
import { OutsideCallError } from '../errors.ts'

/** Whoever is turned away asks again at once, ms: by then another process has its work. */
const ASK_AGAIN_MS = 1

/**
 * Permits of a process that can be told to end: from then on it begins no request, so that what is on its way can
 * arrive, and hands the rest of its work to others.
 * @param stopping aborted: callers that wait and all further ones are turned away, code `worker_stopping`
 */
export function drainingPermits(permits: Permits, stopping: AbortSignal): Permits {
  // One for each caller that waits; node takes more than ten for a leak.
  setMaxListeners(0, stopping)
  return {
    async acquire(request) {
      const { domain, signal } = request
      if (stopping.aborted) throw workerStopping(domain)
      const waiting = new AbortController()
      const cancel = (): void => waiting.abort(signal.reason)
      const stop = (): void => waiting.abort(workerStopping(domain))
      if (signal.aborted) cancel()
      signal.addEventListener('abort', cancel)
      stopping.addEventListener('abort', stop)
      try {
        return await permits.acquire({ ...request, signal: waiting.signal })
      } finally {
        signal.removeEventListener('abort', cancel)
        stopping.removeEventListener('abort', stop)
      }
    },
  }
}

function workerStopping(domain: string): OutsideCallError {
  return new OutsideCallError({
    code: 'worker_stopping',
    kind: 'throttled',
    message: `This worker was told to end, so it begins no request to ${domain}; another one does.`,
    hint: 'Nothing to do while another worker runs; else start one: ./record-linker worker',
    retryAfterMs: ASK_AGAIN_MS,
  })
}
