/**
 * How a worker process is told to end.
 *
 *   running ── SIGTERM | SIGINT | SIGHUP | parent gone ──▶ draining ── drained ──▶ exit code 0
 *                                                             └── a further signal ──▶ exit code 128 + its number
 */
import { constants } from 'node:os'
import type { Logger } from '../log.ts'

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** npm passes on a Ctrl-C that the terminal has sent to its child already: the same one, heard twice. */
const SAME_SIGNAL_MS = 500

/**
 * @param log told why and when
 * @returns aborted by the first signal; a further one ends the process at once
 */
export function stopAtSignals(log: Logger): AbortSignal {
  const stopping = new AbortController()
  let firstAtMs = Infinity
  const onSignal = (signal: (typeof stopSignals)[number]): void => {
    if (!stopping.signal.aborted) {
      firstAtMs = performance.now()
      log.info({ signal }, 'Draining; a second signal ends the worker at once.')
      stopping.abort()
    } else if (performance.now() - firstAtMs > SAME_SIGNAL_MS) {
      log.warn(
        { signal },
        'Ended at once. Other workers go on when this one has been silent for a while.',
      )
      process.exit(128 + constants.signals[signal])
    }
  }
  for (const signal of stopSignals) process.on(signal, () => onSignal(signal))
  process.once('disconnect', () => {
    if (stopping.signal.aborted) return
    log.info('Draining: the process that started this worker is gone.')
    stopping.abort()
  })
  return stopping.signal
}
