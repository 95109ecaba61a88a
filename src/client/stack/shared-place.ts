/**
 * PostgreSQL refuses to run as root, and another account cannot reach a home below a folder of mode 0700
 * (`/root`). So for root its programs and data lie in a folder of the machine:
 *
 *   /var/lib/record-linker/postgresql-<version>/   programs, shared by all homes
 *   /var/lib/record-linker/<home id>/owner.json    whose data it is
 *   /var/lib/record-linker/<home id>/data/         the cluster
 *
 * The home id is random and lies in the home: a home that is deleted and made anew starts empty. The data of
 * a deleted home goes with it when its keeper sees that; what is left over is removed later (abandoned-data).
 */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { UnavailableError } from '../../errors.ts'
import { removeAbandonedData } from './abandoned-data.ts'
import type { Account } from './background-process.ts'
import { giveNewId, isStillThere, type Home } from './home.ts'
import { readOwner, writeOwner } from './owner-file.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { PostgresPlace } from './postgres-place.ts'

const sharedFolder = '/var/lib/record-linker'

/** As root only: prepares programs, folder and account of a home's PostgreSQL. */
export async function prepareSharedPlace(
  home: Home,
  binaries: PostgresBinaries,
  report: (line: string) => void,
): Promise<{ readonly place: PostgresPlace; readonly home: Home }> {
  makeReachableFolder(sharedFolder)
  await removeAbandonedData(sharedFolder, home, Date.now(), report)
  const owner = readOwner(join(sharedFolder, home.id))
  if (owner !== undefined && owner.home !== home.path) {
    if (isStillThere({ path: owner.home, id: home.id })) {
      report(`This home is a copy of ${owner.home}; its database starts empty.`)
      return prepareSharedPlace(giveNewId(home.path), binaries, report)
    }
  }
  const folder = join(sharedFolder, home.id)
  makeReachableFolder(folder)
  writeOwner(folder, { home: home.path })
  const account = await findAccount()
  chownSync(folder, account.uid, account.gid)
  const place = { binaries: copyPrograms(binaries), data: join(folder, 'data'), folder, account }
  return { home, place }
}

/** For a home that was deleted: its data goes too. */
export function removeSharedData(home: Home): void {
  rmSync(join(sharedFolder, home.id), { recursive: true, force: true })
}

function copyPrograms(binaries: PostgresBinaries): string {
  const target = join(sharedFolder, `postgresql-${binaries.version}`)
  if (existsSync(target)) return target
  const draft = `${target}.${process.pid}`
  cpSync(binaries.folder, draft, { recursive: true, verbatimSymlinks: true })
  makeReadable(draft)
  try {
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(target)) throw error // else another home's start was faster
  }
  return target
}

/** Like `chmod -R a+rX`: npm installs with the umask of whoever ran it. */
function makeReadable(path: string): void {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const file = join(entry.parentPath, entry.name)
    const executable = entry.isDirectory() || (statSync(file).mode & 0o100) !== 0
    chmodSync(file, executable ? 0o755 : 0o644)
  }
  chmodSync(path, 0o755)
}

function makeReachableFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o755)
  } catch (cause) {
    throw new UnavailableError({
      code: 'no_postgres_folder',
      message: `PostgreSQL cannot run as root, and ${path}, where another account could run it, cannot be made.`,
      hint: 'Run as a user other than root, or set DATABASE_URL to a PostgreSQL of your own.',
      cause,
    })
  }
}

/** `postgres` where a distribution has it, else `nobody`, which every system has. */
async function findAccount(): Promise<Account> {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)])
    if (uid !== undefined && gid !== undefined) return { uid, gid }
  }
  throw new UnavailableError({
    code: 'no_postgres_account',
    message:
      'PostgreSQL cannot run as root, and there is neither an account "postgres" nor "nobody".',
    hint: 'Run as a user other than root, or set DATABASE_URL to a PostgreSQL of your own.',
  })
}

async function idOf(option: '-u' | '-g', name: string): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)('id', [option, name])
    return Number(stdout.trim())
  } catch {
    return undefined // no such account
  }
}
