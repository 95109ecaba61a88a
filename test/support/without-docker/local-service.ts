/**
 * A service of docker-compose.yml as it can be started on this machine: the same programs, arguments and variables;
 * addresses and paths inside of containers are replaced by those here, and nothing else.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/config.ts'
import { composeService, filledIn } from './compose-file.ts'

export interface ThisMachine {
  /** What `.env` gives. */
  readonly variables: Readonly<Record<string, string>>
  /** `postgres:5432`, as containers name it → `127.0.0.1:40123`. */
  readonly addresses: Readonly<Record<string, string>>
  /** Where the volumes are folders. */
  readonly volumes: string
}

export interface LocalService {
  readonly environment: Readonly<Record<string, string>>
  /** Entry point, if it has one of its own, and arguments. */
  readonly command: readonly string[]
}

/** One on which only PostgreSQL has an address yet. @param folder for volumes */
export function thisMachine(folder: string, databaseUrl: string): ThisMachine {
  const { username, password, host } = new URL(databaseUrl)
  return {
    volumes: join(folder, 'volumes'),
    addresses: { 'postgres:5432': host },
    variables: {
      POSTGRES_USER: username,
      POSTGRES_PASSWORD: password,
      RECORD_LINKER_CONTACT: 'you@stack.example',
      RECORD_LINKER_WEB_TOKEN: randomUUID(),
    },
  }
}

/** @param changes of variables that the service must have */
export function localService(
  name: string,
  machine: ThisMachine,
  changes: Readonly<Record<string, string>> = {},
): LocalService {
  const { environment = {}, entrypoint = [], command = [], volumes = [] } = composeService(name)
  const mounts = volumes.map((volume) => mountOf(volume, machine))
  const localText = (text: string): string => {
    let local = filledIn(text, machine.variables)
    for (const [inside, here] of Object.entries(machine.addresses)) {
      local = local.replace(new RegExp(`(?<![\\w.-])${inside}(?!\\d)`), here)
    }
    for (const { inside, here } of mounts) {
      if (local === inside || local.startsWith(`${inside}/`))
        local = here + local.slice(inside.length)
      local = local.replace(`=${inside}/`, `=${here}/`)
    }
    return local
  }
  const missing = Object.keys(changes).filter((variable) => !(variable in environment))
  if (missing.length > 0) {
    throw new Error(`docker-compose.yml does not give ${missing.join(', ')} to ${name}`)
  }
  const local = Object.entries(environment).map(([key, value]) => [key, localText(value)] as const)
  return {
    environment: { ...Object.fromEntries(local), ...changes },
    command: [...entrypoint, ...command].map(localText),
  }
}

function mountOf(volume: string, machine: ThisMachine) {
  const [from = '', inside = ''] = volume.split(':')
  if (from.startsWith('./')) return { inside, here: join(packageRoot, from) }
  const here = join(machine.volumes, from)
  mkdirSync(here, { recursive: true })
  return { inside, here }
}
