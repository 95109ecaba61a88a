import { join } from 'node:path'
import type { Account } from './background-process.ts'
import { homePaths, type Home } from './home.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { prepareSharedPlace } from './shared-place.ts'

/** Where the programs and the data of one embedded PostgreSQL lie, and who runs it. */
export interface PostgresPlace {
  /** Folder with `bin`, `lib` and `share`. */
  readonly binaries: string
  readonly data: string
  /** Reachable by the account; holds `data`. */
  readonly folder: string
  /** undefined: the current one. PostgreSQL refuses to run as root. */
  readonly account?: Account | undefined
}

/** In the home itself; for root, who must hand over to another account, in a folder that account can reach. */
export async function preparePostgresPlace(
  home: Home,
  report: (line: string) => void,
): Promise<{ readonly place: PostgresPlace; readonly home: Home }> {
  const binaries = findPostgresBinaries()
  if (process.getuid?.() === 0) return prepareSharedPlace(home, binaries, report)
  const data = homePaths(home.path).postgresData
  return { home, place: { binaries: binaries.folder, data, folder: join(data, '..') } }
}
