/**
 * What every command calls first: finds the servers, starting the embedded ones in the background if none run.
 *
 *   both external ───────────────────────────────────────────────▶ done, nothing started
 *   no keeper ──spawn one──▶ keeper starts ──ready──▶ done: an open line holds the stack
 *       ▲                        └──failed──▶ UnavailableError
 *       └──── gone ◀──── keeper is stopping, or of another version of this program and asked to end: wait
 *
 * Two commands at once may both spawn a keeper; only one gets the lock, and both follow that one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { UnavailableError } from '../../errors.ts'
import { findKeeper } from './control-client.ts'
import { checkExternalServers } from './external-servers.ts'
import { followKeeper } from './follow-keeper.ts'
import { homePaths, makeHomeFolder } from './home.ts'
import { lockOwner } from './process-lock.mjs'
import { spawnKeeper, type SpawnedKeeper } from './spawn-keeper.ts'
import type { Stack } from './stack.ts'
import { stackLines } from './stack-lines.ts'

/** A keeper opens its line within a second; one that lives but stays silent is broken. */
const SILENCE_LIMIT_MS = 60_000

export interface EnsureStackOptions {
  /** Entry file of the keeper; only tests use another. */
  readonly keeperEntry?: URL
  /** Report the addresses of a stack that was just started; default true. */
  readonly tellAddresses?: boolean
}

/**
 * @param report gets progress lines while the embedded servers start, and their addresses; nothing if they run.
 * @throws UnavailableError when a server cannot be reached or started.
 * @throws UsageError `stack_differs` when the running stack works with other servers than the environment says.
 */
export async function ensureStack(
  config: Config,
  report: (line: string) => void,
  options: EnsureStackOptions = {},
): Promise<Stack> {
  await checkExternalServers(config)
  if (config.temporalAddress && config.databaseUrl) return externalStack(config)
  const home = makeHomeFolder(config.home)
  let spawned: SpawnedKeeper | undefined
  let heardAt = performance.now()
  for (;;) {
    const keeper = findKeeper(home)
    const outcome = keeper && (await followKeeper(keeper, config, report))
    if (outcome?.state === 'ready') {
      const { addresses, wasStarting } = outcome
      if (wasStarting && options.tellAddresses !== false) stackLines(addresses).forEach(report)
      return { ...addresses, close: outcome.release }
    }
    if (outcome?.state === 'ended') {
      heardAt = performance.now()
    } else if (lockOwner(homePaths(home).lock) === undefined && spawned?.isRunning() !== true) {
      spawned?.throwIfFailed()
      if (spawned === undefined) report('Starting the servers …')
      spawned = await spawnKeeper(config, home, options.keeperEntry)
      heardAt = performance.now()
    } else if (performance.now() - heardAt > SILENCE_LIMIT_MS) {
      throw silentKeeper(home)
    }
    await sleep(50)
  }
}

function externalStack(config: Config): Stack {
  return {
    temporalAddress: config.temporalAddress ?? '',
    temporalNamespace: config.temporalNamespace,
    databaseUrl: config.databaseUrl ?? '',
    home: config.home,
    close: () => undefined,
  }
}

function silentKeeper(home: string): UnavailableError {
  return new UnavailableError({
    code: 'keeper_silent',
    message: `Process ${lockOwner(homePaths(home).lock)?.pid} owns the embedded servers of ${home} but does not answer.`,
    hint: `Look at ${homePaths(home).logs.keeper}, end that process, and run the command again.`,
  })
}
