/** The folder with everything the embedded stack keeps (CONTRACTS, Places). */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../errors.ts'
import { readIfThere, writePrivateFile } from './private-file.ts'

export interface Home {
  /** Without symbolic links. */
  readonly path: string
  /** Random, made with the folder: a new folder at the same path is another home. */
  readonly id: string
}

/** Where each thing lies in a home. */
export function homePaths(home: string) {
  const log = (name: string) => join(home, 'logs', `${name}.log`)
  return {
    id: join(home, 'id'),
    lock: join(home, 'keeper.lock'),
    keeper: join(home, 'keeper.json'),
    processes: join(home, 'processes.json'),
    ports: join(home, 'ports.json'),
    password: join(home, 'database-password'),
    databaseUrl: join(home, 'database-url'),
    postgresData: join(home, 'postgres'),
    temporalData: join(home, 'temporal.db'),
    cache: join(home, 'cache'),
    logs: {
      keeper: log('up'),
      postgres: log('postgres'),
      temporal: log('temporal'),
      worker: log('worker'),
      sampleService: log('sample-service'),
      pages: log('pages'),
    },
  }
}

/**
 * Makes the folder when needed, readable by its owner only.
 * @returns its path without symbolic links
 * @throws UsageError `home_not_usable`
 */
export function makeHomeFolder(path: string): string {
  try {
    mkdirSync(join(path, 'logs'), { recursive: true, mode: 0o700 })
    return realpathSync(path)
  } catch (cause) {
    throw new UsageError({
      code: 'home_not_usable',
      message: `The folder ${path}, which keeps the embedded servers, cannot be made: ${String(cause)}.`,
      hint: 'Set RECORD_LINKER_HOME to a folder that you can write to.',
      cause,
    })
  }
}

/** Reads or gives the id; only the holder of the keeper lock calls this. */
export function openHome(path: string): Home {
  const file = homePaths(path).id
  const id = readIfThere(file)
  return id === undefined ? giveNewId(path) : { path, id }
}

/** For a home that is a copy of another one. */
export function giveNewId(path: string): Home {
  const id = randomUUID()
  writePrivateFile(homePaths(path).id, id)
  return { path, id }
}

/** Whether the folder at that path is still this very home. */
export function isStillThere(home: Home): boolean {
  return existsSync(home.path) && readIfThere(homePaths(home.path).id) === home.id
}
