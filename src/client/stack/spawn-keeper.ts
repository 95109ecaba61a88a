import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { configEnv, type Config } from '../../config.ts'
import { UnavailableError } from '../../errors.ts'
import { homePaths } from './home.ts'
import { openLogFile } from './log-file.ts'
import { typescriptArguments, typescriptEnv } from './node-program.ts'
import { keeperEntry } from './stack-programs.ts'
import { obtainTemporalCli } from './temporal-cli.ts'

/** A keeper in the background, until it answers by itself. */
export interface SpawnedKeeper {
  readonly isRunning: () => boolean
  /** @throws UnavailableError with the last lines of its log, when it ended with an error. */
  readonly throwIfFailed: () => void
}

/** Starts a keeper that outlives this process, in a process group of its own. */
export async function spawnKeeper(
  config: Config,
  home: string,
  entry: URL = keeperEntry,
): Promise<SpawnedKeeper> {
  const cli = config.temporalAddress ? '' : await obtainTemporalCli()
  const log = openLogFile(homePaths(home).logs.keeper)
  // A port belongs to the process that was given it, not to servers that were started on its behalf.
  const settings = configEnv({ ...config, home, healthPort: undefined })
  const child = spawn(
    process.execPath,
    [...typescriptArguments(entry), fileURLToPath(entry), cli],
    {
      cwd: '/', // the folder we are in may be removed meanwhile
      detached: true,
      env: { ...process.env, ...settings, ...typescriptEnv() },
      stdio: ['ignore', log.descriptor, log.descriptor],
    },
  )
  await once(child, 'spawn')
  log.close()
  child.unref()
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    throwIfFailed: () => {
      if (child.exitCode === 0) return // another keeper was faster, or this one was asked to end
      throw new UnavailableError({
        code: 'stack_not_started',
        message: `The embedded servers could not be started:\n${log.tail()}`,
        hint: `The log: ${log.path}`,
      })
    },
  }
}
