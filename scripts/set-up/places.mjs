import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json. */
export const packageRoot = fileURLToPath(new URL('../../', import.meta.url))

/**
 * A place in the user's cache folder; what is there can be deleted at any time and is made again.
 * @param {...string} names
 */
export function cachePath(...names) {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(base, 'record-linker', ...names)
}
