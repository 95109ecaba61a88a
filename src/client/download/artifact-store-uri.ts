import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from '../../config.ts'

/** Where the files of queues are kept that name no place of their own. */
export function artifactStoreUri({ home }: Pick<Config, 'home'>): string {
  return pathToFileURL(join(home, 'artifacts')).href
}
