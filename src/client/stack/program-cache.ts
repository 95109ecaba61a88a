import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../config.ts'

const BESIDE_THE_PROGRAM = join(packageRoot, 'node_modules/.cache/record-linker')

/**
 * Where to keep what is made of the program alone: beside it, so that it is made once for all homes, or in the home where
 * the program stands in a folder that cannot be written. It can be deleted at any time.
 * @param homeCache cache folder of the home
 */
export function programCache(homeCache: string, shared = BESIDE_THE_PROGRAM): string {
  try {
    mkdirSync(shared, { recursive: true })
    accessSync(shared, constants.W_OK)
    return shared
  } catch {
    // A container's image, or a program that another user has installed.
    return homeCache
  }
}
