/**
 * Obtains a Temporal server for this machine and prints its path; progress goes to stderr.
 *
 *   node scripts/obtain-server.mjs temporal|time-skipping
 */
import { setUp } from './set-up/set-up.mjs'
import { exitWithSetUpError } from './set-up/set-up-error.mjs'
import { obtainTemporalServer } from './set-up/temporal-server.mjs'
import { obtainTimeSkippingServer } from './set-up/time-skipping-server.mjs'

try {
  await setUp()
  const path =
    process.argv[2] === 'time-skipping'
      ? await obtainTimeSkippingServer()
      : await obtainTemporalServer()
  process.stdout.write(`${path}\n`)
} catch (error) {
  exitWithSetUpError(error)
}
