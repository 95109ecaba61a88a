/**
 * Obtains a Temporal server for this machine and prints its path; progress goes to stderr.
 *
 *   node scripts/obtain-server.mjs temporal|time-skipping|on-postgres
 */
import { setUp } from './set-up/set-up.mjs'
import { exitWithSetUpError } from './set-up/set-up-error.mjs'
import { obtainTemporalOnPostgres } from './set-up/temporal-on-postgres.mjs'
import { obtainTemporalServer } from './set-up/temporal-server.mjs'
import { obtainTimeSkippingServer } from './set-up/time-skipping-server.mjs'

/** @type {Readonly<Record<string, () => Promise<string>>>} */
const obtain = {
  'time-skipping': obtainTimeSkippingServer,
  'on-postgres': async () => (await obtainTemporalOnPostgres()).server,
}

try {
  await setUp()
  const path = await (obtain[process.argv[2] ?? ''] ?? obtainTemporalServer)()
  process.stdout.write(`${path}\n`)
} catch (error) {
  exitWithSetUpError(error)
}
